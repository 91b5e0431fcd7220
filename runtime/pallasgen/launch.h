#pragma once
#include <pallasgen/arrays.h>
#include <pallasgen/error.h>
#include <pallasgen/make_tensor_map.h>
#include <pallasgen/meaning.h>
#include <pallasgen/types.h>

#include <type_traits>

namespace pallasgen {

// The shape of a launch. A number of blocks converts to it.
struct Grid {
  int64_t x;
  int y = 1, z = 1;
  int cluster = 1;                // CTAs per cluster, along x
  int programs = 1;               // rows of a CTA's threads, along y
  bool dependent_launch = false;  // may start before the previous kernel of the stream ends; waits by griddepcontrol
  bool all_at_once = false;       // all CTAs run at the same time, or the launch fails

  Grid(int64_t blocks) : x(blocks) {}  // NOLINT: a plain number reads well
  Grid(int64_t x, int y, int z) : x(x), y(y), z(z) {}

  // `clusters` clusters of `ctas` CTAs each.
  static Grid of_clusters(int64_t clusters, int ctas) {
    Grid grid(clusters > INT32_MAX ? clusters : clusters * ctas);
    grid.cluster = ctas;
    return grid;
  }
  // `programs` programs, `together` of them in a CTA, each a row of its threads; the last CTA may have fewer.
  static Grid of_programs(int64_t programs, int together) {
    Grid grid(programs > INT32_MAX ? programs : ceil_div(programs, together));
    grid.programs = together;
    return grid;
  }
  Grid dependent() const {
    Grid grid = *this;
    grid.dependent_launch = true;
    return grid;
  }
  Grid cooperative() const {
    Grid grid = *this;
    grid.all_at_once = true;
    return grid;
  }
};

inline constexpr int kMaxDevices = 64;
inline constexpr size_t kAlwaysAllowed = 48 * 1024;  // bytes of dynamic shared memory that any kernel may have

// Returns an attribute of the current device, queried once per device; 0, with last_error(), if that fails.
template <cudaDeviceAttr A>
PALLASGEN_MEANS("one")
int device_attribute() {
  static int known[kMaxDevices];  // 0: not asked yet; threads may ask at the same time and store the same
  int device = 0, value = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess && device < kMaxDevices) value = __atomic_load_n(&known[device], __ATOMIC_RELAXED);
  if (error == cudaSuccess && value == 0) error = cudaDeviceGetAttribute(&value, A, device);
  if (error != cudaSuccess) {
    fail(error, "device attribute: %s", cudaGetErrorString(error));
    return 0;
  }
  if (device < kMaxDevices) __atomic_store_n(&known[device], value, __ATOMIC_RELAXED);
  return value;
}

// 10 * major + minor of the current device: 90 for sm_90.
inline int compute_capability() {
  return 10 * device_attribute<cudaDevAttrComputeCapabilityMajor>() +
         device_attribute<cudaDevAttrComputeCapabilityMinor>();
}

// Returns the product of the numbers of tiles along each axis; beyond 2^31, where launch refuses the grid, any such
// number.
template <class... Counts>
int64_t tiles_in_all(Counts... counts) {
  int64_t tiles = 1;
  const auto multiply = [&tiles](int64_t count) { tiles = tiles > INT32_MAX && count > 0 ? tiles : tiles * count; };
  (multiply(counts), ...);
  return tiles;
}

// `ctas` CTAs, or one per tile if there are fewer; the arguments are the numbers of tiles along each axis.
template <class... Counts>
Grid grid_of_at_most(int64_t ctas, Counts... counts) {
  const int64_t tiles = tiles_in_all(counts...);
  return Grid(tiles > INT32_MAX || tiles < ctas ? tiles : ctas);
}

// The same with a CTA per SM.
template <class... Counts>
Grid persistent_grid(Counts... counts) {
  return grid_of_at_most(device_attribute<cudaDevAttrMultiProcessorCount>(), counts...);
}

// Lets a kernel have `bytes` of dynamic shared memory on the current device. Calls the driver once per kernel and
// device, or `anew`: the driver forgets the attribute when the device is reset, and another context never had it.
inline cudaError_t allow_shared_memory(const void* kernel, int bytes, bool anew = false) {
  struct Entry {
    const void* kernel;
    uint64_t devices;
  };
  constexpr int entries = 1024;
  static Entry table[entries];
  int device = 0;
  const cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  Entry* mine = nullptr;
  const uint64_t hash = (reinterpret_cast<uintptr_t>(kernel) >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  for (int i = 0; i < entries && device < 64; ++i) {
    Entry& entry = table[(hash + static_cast<uint64_t>(i)) % entries];
    const void* there = nullptr;
    if (__atomic_compare_exchange_n(&entry.kernel, &there, kernel, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        there == kernel) {
      mine = &entry;
      break;
    }
  }
  const uint64_t bit = device < 64 ? UINT64_C(1) << device : 0;
  if (!anew && mine && (__atomic_load_n(&mine->devices, __ATOMIC_ACQUIRE) & bit)) return cudaSuccess;
  const cudaError_t set = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (set == cudaSuccess && mine) __atomic_fetch_or(&mine->devices, bit, __ATOMIC_ACQ_REL);
  return set;
}

// Launches `threads` threads a CTA on the caller's stream; neither waits nor allocates. last_error() explains a
// failure.
template <class... P, class... A>
PALLASGEN_MEANS("launch kernel threads shared_bytes arguments grid")
cudaError_t launch(void (*kernel)(P...), Grid grid, int threads, size_t shared_bytes, cudaStream_t stream,
                   const A&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A));
  if (grid.x < 1 || grid.x > INT32_MAX)
    return fail(cudaErrorInvalidConfiguration, "launch: %lld blocks", static_cast<long long>(grid.x));
  if (shared_bytes > kAlwaysAllowed) {
    const cudaError_t error =
        allow_shared_memory(reinterpret_cast<const void*>(kernel), static_cast<int>(shared_bytes));
    if (error != cudaSuccess)
      return fail(error, "launch: %zu bytes of shared memory: %s", shared_bytes, cudaGetErrorString(error));
  }
  cudaLaunchAttribute attributes[3];
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y), static_cast<unsigned>(grid.z));
  config.blockDim = dim3(static_cast<unsigned>(threads / grid.programs), static_cast<unsigned>(grid.programs));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  if (grid.cluster > 1) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(grid.cluster);
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
  }
  if (grid.dependent_launch) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
  }
  if (grid.all_at_once) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
  }
  cudaError_t error = cudaLaunchKernelEx(&config, kernel, static_cast<P>(arguments)...);
  // The driver refused the launch: the attribute may have been lost, with the context in which it was set.
  const bool refused = error == cudaErrorInvalidValue || error == cudaErrorInvalidConfiguration ||
                       error == cudaErrorInvalidClusterSize || error == cudaErrorLaunchOutOfResources;
  if (refused && shared_bytes > kAlwaysAllowed &&
      allow_shared_memory(reinterpret_cast<const void*>(kernel), static_cast<int>(shared_bytes), true) == cudaSuccess) {
    cudaGetLastError();  // clears the error of the launch, which is tried again
    error = cudaLaunchKernelEx(&config, kernel, static_cast<P>(arguments)...);
  }
  return error == cudaSuccess ? cudaSuccess : fail(error, "launch: %s", cudaGetErrorString(error));
}

// One of several arrays that one launch fills.
template <class T, int R>
Filling<T> filling(T* array, typename Same<T>::Type value, const int64_t (&extents)[R]) {
  int64_t elements = 1;
  for (const int64_t extent : extents) elements *= extent;
  if (elements > 0) ptx::check_reach(array, elements, 8 * static_cast<int>(sizeof(T)));
  return {array, value, elements};
}
template <class T>
Filling<T> filling(T* array, typename Same<T>::Type value) {
  return filling(array, value, {1});
}

// Sets all elements of these arrays on the stream, before later launches on it, by one launch.
template <class... T>
cudaError_t fill_arrays(cudaStream_t stream, const Filling<T>&... fillings) {
  int64_t most = 0;
  ((most = fillings.elements > most ? fillings.elements : most), ...);
  if (most == 0) return cudaSuccess;
  return launch(fill_arrays_kernel<T...>, fill_blocks(most), kFillThreads, 0, stream, fillings...);
}

// Sets all elements of an array on the stream, before later launches on it.
template <class T, int R>
cudaError_t fill_array(T* array, typename Same<T>::Type value, const int64_t (&extents)[R], cudaStream_t stream) {
  const Filling<T> whole = filling(array, value, extents);
  if (whole.elements == 0 || !is_one_byte(value)) return fill_arrays(stream, whole);
  const int byte = *reinterpret_cast<const unsigned char*>(&value);
  const cudaError_t error = cudaMemsetAsync(array, byte, static_cast<size_t>(whole.elements) * sizeof(T), stream);
  return error == cudaSuccess ? cudaSuccess : fail(error, "fill: %s", cudaGetErrorString(error));
}
template <class T>
cudaError_t fill_array(T* array, typename Same<T>::Type value, cudaStream_t stream) {
  return fill_array(array, value, {1}, stream);
}

// The same for an array with strides, in elements; memory between its elements is not touched.
template <class T, int R>
cudaError_t fill_array(T* array, typename Same<T>::Type value, const int64_t (&extents)[R], const int64_t (&strides)[R],
                       cudaStream_t stream) {
  ArrayPlaces<R> places;
  int64_t elements = 1, last = 0;
  for (int d = 0; d < R; ++d) {
    places.extents[d] = extents[d];
    places.strides[d] = strides[d];
    elements *= extents[d];
    last += (extents[d] - 1) * strides[d];
  }
  if (elements == 0) return cudaSuccess;
  ptx::check_reach(array, last + 1, 8 * static_cast<int>(sizeof(T)));
  return launch(fill_places_kernel<T, R>, fill_blocks(elements), kFillThreads, 0, stream, array, value, places,
                elements);
}

}  // namespace pallasgen
