#pragma once

#include "expression/typed.h"
#include "layout/layout.h"
#include "tile/program.h"

namespace pallasgen {

// Whether neighbours of a thread, and neighbouring threads, have elements below one another of a matrix, as in the
// transpose of a block that is loaded or stored by vectors (@strided, @rows). Memory would be touched across its rows;
// a value is given such a layout only to be transposed where it is.
bool lies_across(const ValueLayout& layout);
// Whether an expression of this shape takes the transpose of a matrix, element by element.
bool takes_transpose(const TypedPtr& expr, const Shape& shape);
// Whether any statement of the role takes one.
bool has_transposes(const tile::Role& role);
// The layout of a matrix that is made of such a transpose, of vectors of this length at most and elements of so many
// bytes: neighbouring threads have 128 bytes of a row, and the next ones the next row.
ValueLayout transposed_rows_layout(int64_t threads, int64_t vector, int64_t element_bytes, const Shape& shape);

}  // namespace pallasgen
