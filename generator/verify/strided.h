#pragma once

#include <optional>
#include <string>

#include "interpret/array.h"

namespace pallasgen {

// Arrays with strides (in elements, one per dim) as a launcher meets them: the bytes from the first element to the
// last.

// What lies between the elements is `between`. Null when two elements of one place differ.
std::optional<std::string> spread(const Array& array, const Shape& strides, unsigned char between);

// How many bytes such an array takes.
size_t spread_bytes(DType dtype, const Shape& shape, const Shape& strides);

// The elements; null when a byte between them is not `between` any more.
std::optional<Array> gathered(const std::string& bytes, DType dtype, const Shape& shape, const Shape& strides,
                              unsigned char between);

}  // namespace pallasgen
