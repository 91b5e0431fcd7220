#pragma once
#include <cuda.h>

#include <cstddef>
#include <cstdint>

namespace pallasgen::emulator {

constexpr int kMaxTensorRank = 5;

/// The content of a CUtensorMap, in the emulator's own encoding. Dimension 0 is innermost.
struct TensorMapFields {
  uint32_t magic;
  uint8_t rank, type, swizzle, interleave;  // type, swizzle and interleave are the driver's enumerations
  char* base;
  uint64_t extent[kMaxTensorRank];
  uint64_t stride[kMaxTensorRank - 1];  // bytes, for dimensions 1 up
  uint16_t box[kMaxTensorRank];
  uint8_t step[kMaxTensorRank];
  uint8_t fill_nan;
};
static_assert(sizeof(TensorMapFields) <= sizeof(CUtensorMap));

/// The driver's cuTensorMapEncodeTiled: CUDA_ERROR_INVALID_VALUE if its rules are broken (cuda.h of toolkit 13.0).
CUresult encode_tiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* base,
                      const cuuint64_t* extents, const cuuint64_t* strides, const cuuint32_t* box,
                      const cuuint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                      CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);

/// Returns the map at `p`; fails, naming `what`, if there is none or it is not aligned to 64 bytes.
TensorMapFields decode_tensor_map(const void* p, const char* what);
/// Fails, naming `what`, for a map that the driver accepts but whose copies the emulator does not model.
void check_modelled(const TensorMapFields& map, const char* what);

/// Bytes of one element of a type that is modelled.
size_t element_bytes(CUtensorMapDataType type);
/// Elements of the box along dimension `d`: a step s above 1 takes every s-th.
inline uint64_t box_count(const TensorMapFields& map, int d) {
  return d == 0 ? map.box[0] : (map.box[d] + map.step[d] - 1u) / map.step[d];
}
/// Bytes of the whole box in shared memory.
uint64_t box_bytes(const TensorMapFields& map);

/// The bits of an address, in units of 128 bytes, that a swizzle with this span (0, 32, 64, 128) uses.
constexpr uint32_t swizzle_phases(uint32_t span) { return span == 128 ? 7 : span == 64 ? 3 : span == 32 ? 1 : 0; }

/// The address of the byte at `address` under a swizzle: the 16-byte chunk within the span is exchanged by address bits
/// 7 up. They are bits of the address itself, not of an offset from a tile's start; a pattern that does not start at a
/// multiple of 8 spans starts `base_offset` units of 128 bytes after one.
constexpr uint32_t swizzled(uint32_t address, uint32_t span, uint32_t base_offset = 0) {
  return address ^ (((address >> 7) - base_offset) & swizzle_phases(span)) << 4;
}
/// The span of a swizzle that is modelled: 0, 32, 64, 128.
uint32_t swizzle_span(CUtensorMapSwizzle swizzle);

}  // namespace pallasgen::emulator
