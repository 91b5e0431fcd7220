#pragma once

#include "expression/typed.h"
#include "layout/layout.h"
#include "tile/program.h"

namespace pallasgen {

// True if elements of a thread, and of neighbouring threads, lie below one another in a matrix, as in the transpose of
// a block that is loaded or stored by vectors (@strided, @rows). Loads and stores in such a layout would go across the
// rows of memory, so a value has it only to be transposed in its registers.
bool lies_across(const ValueLayout& layout);
// True if an expression of this shape takes the transpose of a matrix, element by element.
bool takes_transpose(const TypedPtr& expr, const Shape& shape);
// True if any statement of the role takes a transpose.
bool has_transposes(const tile::Role& role);
// The layout of a matrix that is made of such a transpose: vectors of at most `vector` elements, 128 bytes of a row in
// neighbouring threads, and the next row in the next ones.
ValueLayout transposed_rows_layout(int64_t threads, int64_t vector, int64_t element_bytes, const Shape& shape);

}  // namespace pallasgen
