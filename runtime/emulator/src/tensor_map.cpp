#include "tensor_map.h"

#include <cuda_runtime_api.h>

#include <cstring>

#include "device.h"
#include "report.h"

namespace pallasgen::emulator {
namespace {

constexpr uint32_t kMagic = 0x70744d61;
constexpr uint64_t kMaxExtent = uint64_t{1} << 32, kMaxStride = uint64_t{1} << 40;
constexpr uint32_t kMaxBox = 256, kMaxStep = 8;

bool is_float(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
      return true;
    default:
      return false;
  }
}

}  // namespace

size_t element_bytes(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
      return 4;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    default:
      not_modelled("tensor maps of type %d", static_cast<int>(type));
  }
}

uint32_t swizzle_span(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_NONE:
      return 0;
    case CU_TENSOR_MAP_SWIZZLE_32B:
      return 32;
    case CU_TENSOR_MAP_SWIZZLE_64B:
      return 64;
    case CU_TENSOR_MAP_SWIZZLE_128B:
      return 128;
    default:
      not_modelled("tensor maps with swizzle %d", static_cast<int>(swizzle));
  }
}

uint64_t box_bytes(const TensorMapFields& map) {
  uint64_t bytes = element_bytes(static_cast<CUtensorMapDataType>(map.type));
  for (int d = 0; d < map.rank; ++d) bytes *= box_count(map, d);
  return bytes;
}

CUresult encode_tiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* base,
                      const cuuint64_t* extents, const cuuint64_t* strides, const cuuint32_t* box,
                      const cuuint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                      CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  constexpr CUresult invalid = CUDA_ERROR_INVALID_VALUE;
  if (map == nullptr || reinterpret_cast<uintptr_t>(map) % 64 != 0) return invalid;
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) not_modelled("tensor maps with interleave");
  if (rank < 1 || rank > kMaxTensorRank || extents == nullptr || box == nullptr || steps == nullptr) return invalid;
  if (rank > 1 && strides == nullptr) return invalid;
  if (base == nullptr || reinterpret_cast<uintptr_t>(base) % 16 != 0) return invalid;
  if (promotion < CU_TENSOR_MAP_L2_PROMOTION_NONE || promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B) return invalid;
  const bool fill_nan = fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  if ((!fill_nan && fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) || (fill_nan && !is_float(type))) return invalid;
  const size_t bytes = element_bytes(type);
  TensorMapFields fields{};
  fields.magic = kMagic;
  fields.rank = static_cast<uint8_t>(rank);
  fields.type = static_cast<uint8_t>(type);
  fields.swizzle = static_cast<uint8_t>(swizzle);
  fields.fill_nan = fill_nan;
  fields.base = static_cast<char*>(base);
  for (cuuint32_t d = 0; d < rank; ++d) {
    if (extents[d] < 1 || extents[d] > kMaxExtent || box[d] < 1 || box[d] > kMaxBox) return invalid;
    if (steps[d] < 1 || steps[d] > kMaxStep) return invalid;
    fields.extent[d] = extents[d];
    fields.box[d] = static_cast<uint16_t>(box[d]);
    fields.step[d] = static_cast<uint8_t>(d == 0 ? 1 : steps[d]);  // the first is ignored without interleave
    if (d + 1 == rank) break;
    if (strides[d] % 16 != 0 || strides[d] >= kMaxStride) return invalid;
    fields.stride[d] = strides[d];
  }
  const size_t inner = box[0] * bytes;
  if (inner % 16 != 0) return invalid;
  if (const uint32_t span = swizzle_span(swizzle); span != 0 && inner > span) return invalid;
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &fields, sizeof fields);
  return CUDA_SUCCESS;
}

TensorMapFields decode_tensor_map(const void* p, const char* what) {
  TensorMapFields fields;
  if (p == nullptr || reinterpret_cast<uintptr_t>(p) % 64 != 0)
    rule_broken("%s: the tensor map at %p is not aligned to 64 bytes", what, p);
  std::memcpy(&fields, p, sizeof fields);
  if (fields.magic != kMagic)
    rule_broken("%s: there is no tensor map at %p (an empty array has none, and no copy may use it)", what, p);
  return fields;
}

}  // namespace pallasgen::emulator

using namespace pallasgen::emulator;

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  if (symbol == nullptr || function == nullptr) return set_last_error(cudaErrorInvalidValue);
  const bool found = std::strcmp(symbol, "cuTensorMapEncodeTiled") == 0;
  *function = found ? reinterpret_cast<void*>(encode_tiled) : nullptr;
  if (result != nullptr) *result = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // extern "C"
