#pragma once

#include <optional>
#include <string>

#include "interpret/array.h"

namespace pallasgen {

// Arrays as a launcher meets them: the bytes from the first element to the last, with strides (in elements, one per
// dim; none: contiguous). Elements of 4 bits are stored by the 4-byte word, so the memory of such an array is whole
// words.

// What lies between the elements and behind the last one is `between`. Null when two elements of one place differ.
std::optional<std::string> spread(const Array& array, const Shape& strides, unsigned char between);

// How many bytes the memory of such an array takes.
size_t spread_bytes(DType dtype, const Shape& shape, const Shape& strides);

// Whether the memory is too large to be written to a file, with its elements far apart: from 1 GiB on.
bool is_far_apart(DType dtype, const Shape& shape, const Shape& strides);

// The elements; null when a bit between them is not that of `between` any more.
std::optional<Array> gathered(const std::string& bytes, DType dtype, const Shape& shape, const Shape& strides,
                              unsigned char between);

}  // namespace pallasgen
