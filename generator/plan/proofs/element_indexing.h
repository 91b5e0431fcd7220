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

// Returns the place of an element in row-major order.
TypedPtr row_major_place(const Shape& shape, const Coordinates& at);

}  // namespace pallasgen
