#pragma once

#include <optional>
#include <string>

#include "interpret/array.h"

namespace pallasgen {

// Memory of arrays as a launcher gets it: the bytes from the first element to the last, with strides (in elements, one
// per dim; empty: contiguous). Elements of 4 bits are stored by 4-byte words, so the memory of such an array is whole
// words.

// Fills gaps and the end of the memory with `between`. Null if two different elements share a place.
std::optional<std::string> spread(const Array& array, const Shape& strides, unsigned char between);

// The size of the array's memory in bytes.
size_t spread_bytes(DType dtype, const Shape& shape, const Shape& strides);

// True if strides spread the elements over 1 GiB or more, too much for a file.
bool is_far_apart(DType dtype, const Shape& shape, const Shape& strides);

// Reads the elements back. Null if `bytes` has another size or a bit between elements differs from `between`.
std::optional<Array> gathered(const std::string& bytes, DType dtype, const Shape& shape, const Shape& strides,
                              unsigned char between);

}  // namespace pallasgen
