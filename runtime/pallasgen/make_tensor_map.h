#pragma once
#include <pallasgen/arrays.h>
#include <pallasgen/error.h>
#include <pallasgen/meaning.h>
#include <pallasgen/tensor_map.h>
#include <pallasgen/types.h>

#include <pallasgen/swizzle.cuh>

namespace pallasgen {

// The tensor map's code of an element type. fp8, bool and the like are copied as bytes.
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

// The type of a map of f32 elements whose loads round them to tf32, 10 bits after the point, for wgmma, which would cut
// off the other bits.
inline constexpr CUtensorMapDataType kRoundedToTf32 = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;

// The input of a tensor map; extents and box are outermost first, in elements.
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

// Explains why no map can be made, by the limits of cuTensorMapEncodeTiled (CUDA driver API) and of coordinates, as a
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

// The only element of the array that replaces an empty one for reading: a map cannot have an extent of 0, and loads
// outside this one also give 0.
alignas(128) static __device__ unsigned char zero_element[16];

// Finds its address on the device. Each file that is compiled by itself has an element of its own: functions that files
// share do not name it, as linkers would keep one of them, with the element of its file.
using FindZero = cudaError_t (*)(void** address);
static inline cudaError_t find_zero_element(void** address) { return cudaGetSymbolAddress(address, zero_element); }

// Fills `map`. A map of an empty array reads as 0 everywhere, or, unless it is only read, stays all zero, and stores to
// it are dropped. `kernel` is the name for last_error().
inline cudaError_t make_tensor_map(TensorMap& map, const char* kernel, const TensorMapRequest& r, FindZero find_zero) {
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
    const cudaError_t error = find_zero(&pointer);
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

// Makes the tensor maps of one launch and keeps the first failure. Its functions belong to one file, as `Find` does.
template <FindZero Find>
class TensorMapsOf {
 public:
  // `kernel` begins the messages of last_error().
  explicit TensorMapsOf(const char* kernel) : kernel_(kernel) {}

  // Makes the map of a contiguous row-major array, extents and box outermost first. T is const if the kernel only reads
  // the array, which may be empty, even with a null pointer. For elements of 4 bits it is a map of bytes: rows, strides
  // and box are whole bytes.
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
  // A byte of the map holds `Elements` elements of the request.
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
    if (ok()) error_ = make_tensor_map(map, kernel_, request, Find);
    return map;
  }

  const char* kernel_;
  cudaError_t error_ = cudaSuccess;
};
using TensorMaps = TensorMapsOf<find_zero_element>;

}  // namespace pallasgen
