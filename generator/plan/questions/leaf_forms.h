#pragma once

#include <string>

#include "questions/forms.h"

namespace pallasgen {

// The name of a value that the statement reads element by element in a layout that its loops cannot take; empty if all
// fit. A loop takes values of its own type, numbers of its rows or columns, and numbers that all threads hold.
std::string misplaced_leaf(const tile::Program& program, const Forms& forms, const tile::Assign& assign);

// The same for an expression over a chunk of a matrix that instructions make: a use with fewer columns than its value
// is a chunk of that value.
std::string misplaced_in_chunk(const tile::Program& program, const Forms& forms, tile::ValueId chunk,
                               const TypedPtr& expr);

}  // namespace pallasgen
