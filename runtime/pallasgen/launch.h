#pragma once
#include <pallasgen/arrays.h>
#include <pallasgen/error.h>
#include <pallasgen/meaning.h>
#include <pallasgen/tensor_map.h>
#include <pallasgen/types.h>

#include <pallasgen/swizzle.cuh>
#include <type_traits>

namespace pallasgen {

// The tensor map's code of an element type. fp8, bool and the like travel as bytes.
template <class T>
constexpr CUtensorMapDataType tensor_map_type() {
  if (kIsSame<T, bf16>) return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  if (kIsSame<T, f16>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  if (kIsSame<T, float>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  if (kIsSame<T, double>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  if (kIsSame<T, int32_t>) return CU_TENSOR_MAP_DATA_TYPE_INT32;
  if (kIsSame<T, int64_t>) return CU_TENSOR_MAP_DATA_TYPE_INT64;
  if (sizeof(T) == 2) return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  if (sizeof(T) == 4) return CU_TENSOR_MAP_DATA_TYPE_UINT32;
  if (sizeof(T) == 8) return CU_TENSOR_MAP_DATA_TYPE_UINT64;
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

// The type of a map of f32 elements whose loads round them to tf32, 10 bits after the point, as wgmma takes them: it
// would cut off what is left.
inline constexpr CUtensorMapDataType kRoundedToTf32 = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;

// What a tensor map is made from; extents and box outermost first, in elements.
struct TensorMapRequest {
  const char* name;
  const void* pointer;
  CUtensorMapDataType type;
  int element_bytes;
  int rank;
  const int64_t* extents;
  const int* box;
  Swizzle swizzle;
  const int64_t* strides = nullptr;  // in elements, the last 1; null: row-major and contiguous
  bool is_read = false;              // only loads use the map
};

// Why no map can be made of this, by the limits of cuTensorMapEncodeTiled (CUDA driver API) and of coordinates, as a
// printf format for the array's name; null if one can. An empty array always can.
inline const char* tensor_map_fault(const TensorMapRequest& r) {
  if (r.rank < 1 || r.rank > 5) return "%s: a tensor map has 1 to 5 dimensions";
  if (r.strides != nullptr && r.strides[r.rank - 1] != 1) return "%s: the last stride must be 1";
  int64_t stride = r.element_bytes;
  bool empty = false;
  for (int d = r.rank - 1; d >= 0; --d) {
    if (r.extents[d] < 0) return "%s: negative extent";
    empty = empty || r.extents[d] == 0;
  }
  if (empty) return nullptr;
  if (r.pointer == nullptr) return "%s: null pointer";
  if (!is_aligned(r.pointer, 16)) return "%s: the pointer must be a multiple of 16 bytes";
  for (int d = r.rank - 1; d >= 0; --d) {
    if (r.extents[d] > INT32_MAX) return "%s: extents must be below 2^31, as coordinates are";
    if (r.box[d] < 1 || r.box[d] > 256) return "%s: box extents must be 1 to 256";
    if (d == 0) break;
    if (r.strides != nullptr) {
      if (r.strides[d - 1] < 1 || r.strides[d - 1] > (INT64_C(1) << 40) / r.element_bytes)
        return "%s: strides must be below 2^40 bytes";
      stride = r.strides[d - 1] * r.element_bytes;
    } else {
      if (stride > (INT64_C(1) << 40) / r.extents[d]) return "%s: strides must be below 2^40 bytes";
      stride *= r.extents[d];
    }
    if (stride % 16 != 0) return "%s: rows must be a multiple of 16 bytes";
    if (stride >= INT64_C(1) << 40) return "%s: strides must be below 2^40 bytes";
  }
  const int inner = r.box[r.rank - 1] * r.element_bytes;
  if (inner % 16 != 0) return "%s: the box must be a multiple of 16 bytes wide";
  if (r.swizzle != Swizzle::kNone && inner > swizzle_span(r.swizzle)) return "%s: the box is wider than its swizzle";
  return nullptr;
}

using EncodeTiled = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                 const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// The driver's cuTensorMapEncodeTiled, found once, so that nothing links to libcuda; null if the driver has none.
inline EncodeTiled find_encode_tiled() {
  static const EncodeTiled found = [] {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &result);
    return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? reinterpret_cast<EncodeTiled>(entry)
                                                                         : nullptr;
  }();
  return found;
}

// The only element of what stands for an empty array where it is read: a map has no extent of 0, and what loads find
// outside of this one is 0 as well.
alignas(128) static __device__ unsigned char zero_element[16];

// Fills `map`. That of an empty array reads as 0 everywhere; where it is not only read it stays all zero, and stores
// drop what they have. `kernel` is the name for last_error().
inline cudaError_t make_tensor_map(TensorMap& map, const char* kernel, const TensorMapRequest& r) {
  map = TensorMap{};
  if (const char* fault = tensor_map_fault(r)) {
    char text[kErrorLength];
    snprintf(text, sizeof text, fault, r.name);
    return fail(cudaErrorInvalidValue, "%s: %s", kernel, text);
  }
  bool empty = false;
  for (int d = 0; d < r.rank; ++d) empty = empty || r.extents[d] == 0;
  if (empty && !r.is_read) return cudaSuccess;
  void* pointer = const_cast<void*>(r.pointer);
  if (empty) {
    const cudaError_t error = cudaGetSymbolAddress(&pointer, zero_element);
    if (error != cudaSuccess) return fail(error, "%s: %s: %s", kernel, r.name, cudaGetErrorString(error));
  }
  cuuint64_t extents[5], strides[5];
  cuuint32_t box[5], steps[5];
  cuuint64_t stride = static_cast<cuuint64_t>(r.element_bytes);
  for (int d = 0; d < r.rank; ++d) {
    const int from = r.rank - 1 - d;  // the driver wants the innermost first
    extents[d] = empty ? 1 : static_cast<cuuint64_t>(r.extents[from]);
    box[d] = static_cast<cuuint32_t>(r.box[from]);
    steps[d] = 1;
    stride *= extents[d];
    if (r.strides != nullptr && from > 0) stride = static_cast<cuuint64_t>(r.strides[from - 1] * r.element_bytes);
    strides[d] = empty ? sizeof zero_element : stride;
  }
  const EncodeTiled encode = find_encode_tiled();
  if (!encode) return fail(cudaErrorNotSupported, "%s: the driver has no cuTensorMapEncodeTiled (CUDA 12)", kernel);
  constexpr CUtensorMapSwizzle swizzles[] = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                             CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_32B};
  const CUresult result = encode(&map.map, r.type, static_cast<cuuint32_t>(r.rank), pointer, extents, strides, box,
                                 steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzles[static_cast<int>(r.swizzle)],
                                 CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result == CUDA_SUCCESS) return cudaSuccess;
  return fail(cudaErrorInvalidValue, "%s: cuTensorMapEncodeTiled refused %s with %d", kernel, r.name,
              static_cast<int>(result));
}

// Makes the tensor maps of one launch and remembers the first failure.
class TensorMaps {
 public:
  // `kernel` begins the messages of last_error().
  explicit TensorMaps(const char* kernel) : kernel_(kernel) {}

  // The map of a contiguous row-major array, extents and box outermost first. An array of T is only read by it if T is
  // const. It may be empty, even with a null pointer. Of elements of 4 bits it is a map of the bytes, whose rows,
  // strides and box are whole ones.
  template <class T, int R>
  TensorMap add(const char* name, T* pointer, const int64_t (&extents)[R], const int (&box)[R], Swizzle swizzle,
                CUtensorMapDataType type = tensor_map_type<std::remove_const_t<T>>()) {
    return add<Stored<T>::kElements>(
        {name, pointer, type, static_cast<int>(sizeof(T)), R, extents, box, swizzle, nullptr, std::is_const_v<T>});
  }

  // The same with strides, in elements; the last must be 1.
  template <class T, int R>
  TensorMap add(const char* name, T* pointer, const int64_t (&extents)[R], const int (&box)[R], Swizzle swizzle,
                const int64_t (&strides)[R], CUtensorMapDataType type = tensor_map_type<std::remove_const_t<T>>()) {
    return add<Stored<T>::kElements>(
        {name, pointer, type, static_cast<int>(sizeof(T)), R, extents, box, swizzle, strides, std::is_const_v<T>});
  }

  bool ok() const { return error_ == cudaSuccess; }
  cudaError_t error() const { return error_; }

 private:
  // `Elements` of the request are a byte of the map.
  template <int Elements>
  PALLASGEN_MEANS("tensor_map request Elements")
  TensorMap add(TensorMapRequest request) {
    TensorMap map{};
    int64_t extents[5] = {}, strides[5] = {};
    int box[5] = {};
    if constexpr (Elements > 1) {
      const int last = request.rank - 1;
      for (int d = 0; d < request.rank && d < 5; ++d) {
        const bool whole = d != last || (request.extents[d] % Elements == 0 && request.box[d] % Elements == 0);
        if (ok() && !(whole && (!request.strides || d == last || request.strides[d] % Elements == 0)))
          error_ = fail(cudaErrorInvalidValue, "%s: %s: rows must be whole bytes", kernel_, request.name);
        extents[d] = request.extents[d] / (d == last ? Elements : 1);
        box[d] = request.box[d] / (d == last ? Elements : 1);
        if (request.strides) strides[d] = request.strides[d] / (d == last ? 1 : Elements);
      }
      request.extents = extents;
      request.box = box;
      if (request.strides) request.strides = strides;
    }
    if (ok()) error_ = make_tensor_map(map, kernel_, request);
    return map;
  }

  const char* kernel_;
  cudaError_t error_ = cudaSuccess;
};

// The shape of a launch. A number of blocks converts to it.
struct Grid {
  int64_t x;
  int y = 1, z = 1;
  int cluster = 1;                // CTAs a cluster along x
  int programs = 1;               // rows of a CTA's threads, along y
  bool dependent_launch = false;  // may start before the previous kernel of the stream ends; waits by griddepcontrol
  bool all_at_once = false;       // all CTAs run at the same time, or the launch fails

  Grid(int64_t blocks) : x(blocks) {}  // NOLINT: a plain number reads well
  Grid(int64_t x, int y, int z) : x(x), y(y), z(z) {}

  // So many clusters of `ctas` CTAs.
  static Grid of_clusters(int64_t clusters, int ctas) {
    Grid grid(clusters > INT32_MAX ? clusters : clusters * ctas);
    grid.cluster = ctas;
    return grid;
  }
  // So many programs, of which a CTA has `together`, each a row of its threads; those of the last CTA may be fewer.
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

// An attribute of the current device, asked once per device; 0 and last_error() if it cannot be had.
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

// How many tiles there are, given how many along each axis; beyond 2^31, where launch refuses the grid, any such
// number.
template <class... Counts>
int64_t tiles_in_all(Counts... counts) {
  int64_t tiles = 1;
  const auto multiply = [&tiles](int64_t count) { tiles = tiles > INT32_MAX && count > 0 ? tiles : tiles * count; };
  (multiply(counts), ...);
  return tiles;
}

// So many CTAs, or one per tile if there are fewer; the counts of tiles along each axis are given.
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

// Lets a kernel have `bytes` of dynamic shared memory on the current device; asks the driver once per kernel and
// device.
inline cudaError_t allow_shared_memory(const void* kernel, int bytes) {
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
  if (mine && (__atomic_load_n(&mine->devices, __ATOMIC_ACQUIRE) & bit)) return cudaSuccess;
  const cudaError_t set = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (set == cudaSuccess && mine) __atomic_fetch_or(&mine->devices, bit, __ATOMIC_ACQ_REL);
  return set;
}

// Launches on the caller's stream, so many threads a CTA; neither waits nor allocates. On failure last_error() says
// why.
template <class... P, class... A>
PALLASGEN_MEANS("launch kernel threads shared_bytes arguments grid")
cudaError_t launch(void (*kernel)(P...), Grid grid, int threads, size_t shared_bytes, cudaStream_t stream,
                   const A&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A));
  if (grid.x < 1 || grid.x > INT32_MAX)
    return fail(cudaErrorInvalidConfiguration, "launch: %lld blocks", static_cast<long long>(grid.x));
  if (shared_bytes > 48 * 1024) {
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
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, static_cast<P>(arguments)...);
  return error == cudaSuccess ? cudaSuccess : fail(error, "launch: %s", cudaGetErrorString(error));
}

// Sets all elements of an array on the stream, ahead of what is launched on it next.
template <class T, int R>
cudaError_t fill_array(T* array, typename Same<T>::Type value, const int64_t (&extents)[R], cudaStream_t stream) {
  int64_t elements = 1;
  for (const int64_t extent : extents) elements *= extent;
  if (elements == 0) return cudaSuccess;
  ptx::check_reach(array, elements, 8 * static_cast<int>(sizeof(T)));
  if (is_one_byte(value)) {
    const int byte = *reinterpret_cast<const unsigned char*>(&value);
    const cudaError_t error = cudaMemsetAsync(array, byte, static_cast<size_t>(elements) * sizeof(T), stream);
    return error == cudaSuccess ? cudaSuccess : fail(error, "fill: %s", cudaGetErrorString(error));
  }
  return launch(fill_kernel<T>, fill_blocks(elements), kFillThreads, 0, stream, array, value, elements);
}
template <class T>
cudaError_t fill_array(T* array, typename Same<T>::Type value, cudaStream_t stream) {
  return fill_array(array, value, {1}, stream);
}

// The same for an array with strides, in elements; nothing between its elements is touched.
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

// One array of several that are set by one launch.
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

// Sets all elements of these arrays, as fill_array does, by one launch.
template <class... T>
cudaError_t fill_arrays(cudaStream_t stream, const Filling<T>&... fillings) {
  int64_t most = 0;
  ((most = fillings.elements > most ? fillings.elements : most), ...);
  if (most == 0) return cudaSuccess;
  return launch(fill_arrays_kernel<T...>, fill_blocks(most), kFillThreads, 0, stream, fillings...);
}

}  // namespace pallasgen
