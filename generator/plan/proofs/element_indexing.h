#pragma once

#include "proofs/element_site.h"

namespace pallasgen {

// What indexing selects, as NumPy has it: integer arrays are broadcast together, and their dims stand where the first
// of them is when they (and integers) are neighbours, else in front.
struct Selected {
  Shape shape;
  Shape arrays;      // the shape that the integer arrays have together
  size_t front = 0;  // where its dims begin in `shape`
};
Selected selected_by(const std::vector<IndexItem>& items);

// Coordinates of an operand that broadcasts to `result`: trailing dims meet, one of size 1 that is stretched has its
// only element.
Coordinates broadcast_at(const Shape& operand, const Shape& result, const Coordinates& at);

// Row-major coordinates `at` in `to` as those in `from`, which has the same elements.
Coordinates reshaped_at(const Shape& from, const Shape& to, const Coordinates& at);

// The place of an element among all in row-major order.
TypedPtr row_major_place(const Shape& shape, const Coordinates& at);

}  // namespace pallasgen
