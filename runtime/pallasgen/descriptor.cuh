#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/ptx/smem.cuh>
#include <pallasgen/swizzle.cuh>

// Shared memory descriptors of wgmma operands (PTX ISA, "Asynchronous warpgroup level matrix shared memory layout").
//
// An operand tile is a sequence of boxes, one TMA copy each: a box is swizzle_span bytes wide along the contiguous axis
// (16 bytes without swizzle) and holds the whole other axis, in consecutive rows of a span each, swizzled.
namespace pallasgen {

// The axis that is contiguous in memory: k, or the operand's m or n.
enum class Major : uint8_t { kK = 0, kMn = 1 };

// The 64 bits of a descriptor. Strides are in bytes; their meaning depends on major and swizzle. The base offset, bits
// 49 to 51, stays 0: tiles start at a multiple of swizzle_period.
__host__ __device__ constexpr uint64_t descriptor_bits(uint32_t address, uint32_t leading, uint32_t stride, Swizzle s) {
  return static_cast<uint64_t>((address & 0x3ffff) >> 4) | static_cast<uint64_t>((leading & 0x3ffff) >> 4) << 16 |
         static_cast<uint64_t>((stride & 0x3ffff) >> 4) << 32 | static_cast<uint64_t>(s) << 62;
}

// A descriptor of an operand of elements T. Extent is the tile's length along the axis that is not contiguous: its rows
// (m or n) for K-major, its depth k for MN-major; 0 if the tile is one box and the extent is not needed.
template <class T, Major M, Swizzle S, int Extent>
struct SmemDescriptor {
  using Element = T;
  static constexpr Major kMajor = M;
  uint64_t bits;

  // The bytes from the start of the tile to that of its kk-th MMA step; each step takes 32 bytes of k.
  __host__ __device__ static constexpr int step_offset(int kk) {
    constexpr int span = swizzle_span(S), box_steps = span < 32 ? 1 : span / 32, step_boxes = span < 32 ? 2 : 1;
    if (M == Major::kMn) return kk * (32 / static_cast<int>(sizeof(T))) * span;
    return kk % box_steps * 32 + kk / box_steps * step_boxes * span * Extent;
  }

  // The descriptor of rows 64 i to 64 i + 63 of an A that has more, which goes with acc.m64(i).
  __host__ __device__ constexpr SmemDescriptor m64(int i) const {
    constexpr int row = M == Major::kK ? swizzle_span(S) : static_cast<int>(sizeof(T)) * Extent;  // bytes, on average
    return {bits + static_cast<uint64_t>(i * 64 * row >> 4)};
  }

  // The descriptor of the kk-th MMA step. The address is below 2^18, so the sum stays within its field.
  __host__ __device__ constexpr SmemDescriptor advance_k(int kk) const {
    return {bits + static_cast<uint64_t>(step_offset(kk) >> 4)};
  }
};

// The bits for a K-major tile of Rows rows in all; `address` is that of the first row that the MMA takes.
template <Swizzle S, int Rows>
__host__ __device__ constexpr uint64_t k_major_bits(uint32_t address) {
  constexpr int span = swizzle_span(S);
  return descriptor_bits(address, S == Swizzle::kNone ? span * Rows : 16, 8 * span, S);
}

// The bits for an MN-major tile of Depth steps of k in all; `address` is that of the first box that the MMA takes.
template <Swizzle S, int Depth>
__host__ __device__ constexpr uint64_t mn_major_bits(uint32_t address) {
  constexpr int span = swizzle_span(S);
  return S == Swizzle::kNone ? descriptor_bits(address, 8 * span, span * Depth, S)
                             : descriptor_bits(address, span * Depth, 8 * span, S);
}

// K-major (k contiguous): a tile of one box, from its row `first_row` on, a multiple of 8.
template <Swizzle S, class T>
PALLASGEN_MEANS("descriptor tile")
__device__ __forceinline__ auto descriptor_k_major(const T* tile, int first_row = 0) {
  static_assert(S != Swizzle::kNone, "without swizzle the tile has many column boxes: name its rows");
  const uint32_t address = ptx::shared_address(tile) + first_row * swizzle_span(S);
  return SmemDescriptor<T, Major::kK, S, 0>{k_major_bits<S, 0>(address)};
}

// K-major: a tile of any number of boxes of Rows rows each, from row `first_row` on, a multiple of 8.
template <Swizzle S, int Rows, class T>
PALLASGEN_MEANS("descriptor tile")
__device__ __forceinline__ auto descriptor_k_major(const T* tile, int first_row = 0) {
  static_assert(Rows % 8 == 0);
  const uint32_t address = ptx::shared_address(tile) + first_row * swizzle_span(S);
  return SmemDescriptor<T, Major::kK, S, Rows>{k_major_bits<S, Rows>(address)};
}

// MN-major (m or n contiguous; 16-bit elements): a tile of any number of boxes with Depth rows of k each, from column
// `first_column` on, a multiple of a box's columns.
template <Swizzle S, int Depth, class T>
PALLASGEN_MEANS("descriptor tile")
__device__ __forceinline__ auto descriptor_mn_major(const T* tile, int first_column = 0) {
  static_assert(sizeof(T) == 2, "wgmma takes MN-major operands of 16-bit elements only");
  static_assert(Depth % 16 == 0);
  const uint32_t address = ptx::shared_address(tile) + first_column * Depth * static_cast<int>(sizeof(T));
  return SmemDescriptor<T, Major::kMn, S, Depth>{mn_major_bits<S, Depth>(address)};
}

}  // namespace pallasgen
