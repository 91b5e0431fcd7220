#pragma once

#include "layout/layout.h"

// How a block in registers meets memory.
namespace pallasgen {

// One dim of a block in memory: from one index to the next it is `stride` elements. Where `exact` is false, an unknown
// multiple of them: nothing but alignment follows from it.
struct MemoryDim {
  int64_t stride = 1;
  bool exact = true;
};

// How many consecutive registers of every thread, from each multiple of them, hold elements that lie side by side and
// aligned in memory (or are all in the padding): the widest vector, in elements, a power of two. The block begins at a
// multiple of `alignment` elements.
int64_t vector_width(const ValueLayout& layout, const std::vector<MemoryDim>& memory, int64_t alignment);
// The same of a row-major block each of whose rows begins at an address aligned to any vector that divides it.
int64_t vector_width(const ValueLayout& layout);

// How a block lies in shared memory: rows along dim `minor` (the others in row-major order), in slabs of `slab` columns
// that follow one another (0: one), the 16-byte chunks of each 128, 64 or 32 bytes permuted by `swizzle` (0: not).
struct SharedForm {
  int minor = 0;
  int64_t slab = 0;   // elements
  int64_t pitch = 0;  // bytes from one row of a slab to the next
  int swizzle = 0;    // bytes
  bool operator==(const SharedForm&) const = default;
};
// Without swizzle, and with `padding` bytes behind each row; with a swizzle, in slabs of its span.
SharedForm row_major_form(const std::vector<int64_t>& shape, int64_t element_bytes, int64_t padding);
SharedForm swizzled_form(int64_t element_bytes, int span, int minor);
int64_t bytes_of(const SharedForm& form, const std::vector<int64_t>& shape, int64_t element_bytes);
int64_t offset_of(const SharedForm& form, const std::vector<int64_t>& shape, int64_t element_bytes,
                  const std::vector<int64_t>& coordinates);

// The least number of turns, and the number that the banks make of it, for one warp's access of up to 16 bytes at each
// of the offsets (-1: the lane takes no part).
struct BankAccess {
  int64_t wavefronts = 0, ideal = 0;
};
BankAccess bank_access(const std::vector<int64_t>& offsets, int64_t bytes);

// What a store of the whole block from its registers, or a load into them, takes.
enum class SharedPath : uint8_t { vector, matrix, matrix_transposed };  // ld/st.shared; stmatrix or ldmatrix, .trans
struct SharedAccess {
  SharedPath path = SharedPath::vector;
  int64_t vector = 1;                 // elements of one access of a thread
  int64_t matrices = 0;               // of one stmatrix or ldmatrix: 1, 2 or 4
  int64_t instructions = 0;           // of each thread
  int64_t wavefronts = 0, ideal = 0;  // of all warps together
};
// With ordinary vectors, the widest that the layout and the form allow. Of holders of the same element all take part.
SharedAccess vector_access(const ValueLayout& layout, const SharedForm& form, int64_t element_bytes);
// With stmatrix or ldmatrix; null where they cannot: each 8 x 8 matrix of 16-bit units must lie as lane l holding the
// 32 bits l % 4 of row l / 4 (PTX ISA 9.7.14.5.16), or transposed, whose elements must have 16 bits; rows of 16 bytes
// must lie together in the form.
std::optional<SharedAccess> matrix_access(const ValueLayout& layout, const SharedForm& form, int64_t element_bytes);

}  // namespace pallasgen
