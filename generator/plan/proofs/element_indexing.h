#pragma once

#include "proofs/element_site.h"

namespace pallasgen {

// The result of indexing by NumPy's rules: integer arrays are broadcast together, and their dims replace the first of
// them if they (and integers) are neighbours; otherwise their dims come first.
struct Selected {
  Shape shape;
  Shape arrays;      // the broadcast shape of the integer arrays
  size_t front = 0;  // place of its first dim in `shape`
};
Selected selected_by(const std::vector<IndexItem>& items);

// Returns coordinates in an operand that broadcasts to `result`: trailing dims match, and a stretched dim of size 1 has
// coordinate 0.
Coordinates broadcast_at(const Shape& operand, const Shape& result, const Coordinates& at);

// Converts coordinates `at` in `to` to those of the same element, in row-major order, in `from`.
Coordinates reshaped_at(const Shape& from, const Shape& to, const Coordinates& at);

// Returns the place of an element in row-major order.
TypedPtr row_major_place(const Shape& shape, const Coordinates& at);

}  // namespace pallasgen
