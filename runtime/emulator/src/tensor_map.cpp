#include "tensor_map.h"

#include <cuda_runtime_api.h>

#include <cstring>

#include "device.h"
#include "global_memory.h"
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

/// Bits of one element in global memory; 0 if it is no valid type.
uint64_t element_bits(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 8;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 16;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
      return 32;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 64;
    case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B:
    case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B:
      return 4;
    case CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B:
      return 6;
  }
  return 0;
}

/// True for packed types that leave gaps in shared memory, which have stricter rules than all others.
bool has_gaps(CUtensorMapDataType type) {
  return type == CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B || type == CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B;
}

/// The widest inner dimension of a box under this swizzle, in bytes; 0 without a limit, and for no valid swizzle.
uint64_t widest_inner(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_32B:
      return 32;
    case CU_TENSOR_MAP_SWIZZLE_64B:
      return 64;
    case CU_TENSOR_MAP_SWIZZLE_128B:
    case CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B:
    case CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B:
    case CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B:
      return 128;
    default:
      return 0;
  }
}

bool swizzle_is_legal(CUtensorMapDataType type, CUtensorMapSwizzle swizzle, CUtensorMapInterleave interleave) {
  if (swizzle < CU_TENSOR_MAP_SWIZZLE_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B) return false;
  if (interleave == CU_TENSOR_MAP_INTERLEAVE_32B) return swizzle == CU_TENSOR_MAP_SWIZZLE_32B;
  if (!has_gaps(type)) return true;
  return swizzle == CU_TENSOR_MAP_SWIZZLE_NONE || swizzle == CU_TENSOR_MAP_SWIZZLE_128B ||
         swizzle == CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B ||
         (swizzle == CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B && type == CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B);
}

/// The requirements of the rules for one type and interleave.
struct Limits {
  uint64_t alignment;      // alignment of the array and of its strides, bytes
  uint64_t inner_extent;   // the innermost extent is a multiple of this
  uint64_t inner_box = 0;  // the innermost box is this; 0: free
};

Limits limits_of(CUtensorMapDataType type, CUtensorMapInterleave interleave) {
  if (has_gaps(type)) return {32, 128, 128};
  return {interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? uint64_t{32} : 16,
          type == CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B ? uint64_t{2} : 1};
}

/// The driver cannot check where arrays end; a map that extends further is still a mistake.
void check_reach_of(const TensorMapFields& map) {
  const auto type = static_cast<CUtensorMapDataType>(map.type);
  if (has_gaps(type)) return;
  uint64_t bytes = (map.extent[0] * element_bits(type) + 7) / 8;
  for (int d = 1; d < map.rank; ++d) bytes += (map.extent[d] - 1) * map.stride[d - 1];
  check_global_reach(map.base, bytes, "a tensor map with these extents and strides");
}

}  // namespace

size_t element_bytes(CUtensorMapDataType type) {
  const uint64_t bits = element_bits(type);
  if (bits < 8) not_modelled("tensor maps of packed type %d", static_cast<int>(type));
  return bits / 8;
}

uint32_t swizzle_span(CUtensorMapSwizzle swizzle) {
  if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B) not_modelled("tensor maps with swizzle %d", static_cast<int>(swizzle));
  return static_cast<uint32_t>(widest_inner(swizzle));
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
  if (element_bits(type) == 0) return invalid;
  if (interleave < CU_TENSOR_MAP_INTERLEAVE_NONE || interleave > CU_TENSOR_MAP_INTERLEAVE_32B) return invalid;
  const bool interleaved = interleave != CU_TENSOR_MAP_INTERLEAVE_NONE;
  if (interleaved && type == CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B) return invalid;
  if (!swizzle_is_legal(type, swizzle, interleave)) return invalid;
  if (rank < (interleaved ? 3 : 1) || rank > kMaxTensorRank) return invalid;
  if (extents == nullptr || box == nullptr || steps == nullptr || (rank > 1 && strides == nullptr)) return invalid;
  const Limits limits = limits_of(type, interleave);
  if (base == nullptr || reinterpret_cast<uintptr_t>(base) % limits.alignment != 0) return invalid;
  if (promotion < CU_TENSOR_MAP_L2_PROMOTION_NONE || promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B) return invalid;
  const bool fill_nan = fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  if ((!fill_nan && fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) || (fill_nan && !is_float(type))) return invalid;
  TensorMapFields fields{};
  fields.magic = kMagic;
  fields.rank = static_cast<uint8_t>(rank);
  fields.type = static_cast<uint8_t>(type);
  fields.swizzle = static_cast<uint8_t>(swizzle);
  fields.interleave = static_cast<uint8_t>(interleave);
  fields.fill_nan = fill_nan;
  fields.base = static_cast<char*>(base);
  for (cuuint32_t d = 0; d < rank; ++d) {
    if (extents[d] < 1 || extents[d] > kMaxExtent || box[d] < 1 || box[d] > kMaxBox) return invalid;
    if (steps[d] < 1 || steps[d] > kMaxStep) return invalid;
    fields.extent[d] = extents[d];
    fields.box[d] = static_cast<uint16_t>(box[d]);
    // The first step is ignored without interleave.
    fields.step[d] = static_cast<uint8_t>(d == 0 && !interleaved ? 1 : steps[d]);
    if (d + 1 == rank) break;
    if (strides[d] % limits.alignment != 0 || strides[d] >= kMaxStride) return invalid;
    fields.stride[d] = strides[d];
  }
  if (extents[0] % limits.inner_extent != 0 || (limits.inner_box != 0 && box[0] != limits.inner_box)) return invalid;
  const uint64_t inner_bits = box[0] * element_bits(type);
  if (!interleaved) {
    if (inner_bits % 128 != 0) return invalid;
    if (const uint64_t widest = widest_inner(swizzle); widest != 0 && inner_bits > widest * 8) return invalid;
  }
  check_reach_of(fields);
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &fields, sizeof fields);
  return CUDA_SUCCESS;
}

void check_modelled(const TensorMapFields& map, const char* what) {
  const auto type = static_cast<CUtensorMapDataType>(map.type);
  if (map.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
    not_modelled("%s: a tensor map with interleave %d", what, map.interleave);
  if (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ || type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
    not_modelled("%s: a tensor map whose type flushes subnormal numbers to zero", what);
  const size_t inner = map.box[0] * element_bytes(type);
  const uint32_t span = swizzle_span(static_cast<CUtensorMapSwizzle>(map.swizzle));
  if (span != 0 && inner != span) not_modelled("%s: a box of %zu bytes in a swizzle of %u", what, inner, span);
}

TensorMapFields decode_tensor_map(const void* p, const char* what) {
  TensorMapFields fields;
  if (p == nullptr || reinterpret_cast<uintptr_t>(p) % 64 != 0)
    rule_broken("%s: the tensor map at %p is not aligned to 64 bytes", what, p);
  std::memcpy(&fields, p, sizeof fields);
  if (fields.magic != kMagic)
    rule_broken("%s: there is no tensor map at %p: an array that is read has one, even an empty one", what, p);
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

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  if (address == nullptr || symbol == nullptr) return set_last_error(cudaErrorInvalidValue);
  *address = const_cast<void*>(symbol);
  return cudaSuccess;
}

}  // extern "C"
