#pragma once
#include <cuda_runtime.h>
#include <pallasgen/types.h>

#include <cstdint>

namespace pallasgen {

// How TMA and the tensor cores permute the 16-byte chunks of shared memory, so that a column of rows touches all banks.
// The value is the layout code of wgmma's descriptors (PTX ISA, "Matrix descriptor format", bits 62-63).
enum class Swizzle : uint8_t { kNone = 0, k128B = 1, k64B = 2, k32B = 3 };

// The bytes of one row of a swizzled tile; 16, one chunk, without swizzle.
__host__ __device__ constexpr int swizzle_span(Swizzle s) {
  return s == Swizzle::k128B ? 128 : s == Swizzle::k64B ? 64 : s == Swizzle::k32B ? 32 : 16;
}

// The bytes after which the pattern repeats; a swizzled tile starts at a multiple of them.
__host__ __device__ constexpr int swizzle_period(Swizzle s) { return 8 * swizzle_span(s); }

// The offset in a swizzled tile of the byte at `offset` of the unswizzled one: bits 4 to 6 are xored with bits 7 to 9
// (128B), 4 to 5 with 7 to 8 (64B), 4 with 7 (32B).
template <Swizzle S>
__host__ __device__ constexpr uint32_t swizzled(uint32_t offset) {
  return offset ^ (((offset >> 7) & (swizzle_span(S) / 16 - 1)) << 4);
}

// The index, in an operand tile (see descriptor.cuh), of element `index` of a row-major tile of Rows rows and Columns
// columns, in elements; Columns is a multiple of a box's columns. M is the type of the tile's memory.
template <Swizzle S, class M, int Rows, int Columns>
__host__ __device__ constexpr int swizzled_index(int index) {
  constexpr int bytes = static_cast<int>(sizeof(M)), own = Stored<M>::kElements;
  constexpr int width = swizzle_span(S) / bytes * own;
  static_assert(Columns % width == 0, "whole column boxes");
  const int row = index / Columns, column = index % Columns;
  const int element = (column / width * Rows + row) * width + column % width;
  return static_cast<int>(swizzled<S>(static_cast<uint32_t>(element / own * bytes))) / bytes * own + element % own;
}

// Such a tile, whose elements are stored by their index: `tile + index`.
template <Swizzle S, class T, int Rows, int Columns>
struct SwizzledTile {
  T* tile;
  __host__ __device__ constexpr T* operator+(int index) const {
    return tile + swizzled_index<S, T, Rows, Columns>(index);
  }
};
template <Swizzle S, int Rows, int Columns, class T>
__host__ __device__ constexpr SwizzledTile<S, T, Rows, Columns> swizzled_tile(T* tile) {
  return {tile};
}

}  // namespace pallasgen
