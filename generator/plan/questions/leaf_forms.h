#pragma once

#include <string>

#include "questions/forms.h"

namespace pallasgen {

// The name of a value that the statement reads element by element and that does not lie as its loops take it; empty:
// each of them does. A loop takes values of its own type, numbers of its rows or columns, and those that all threads
// hold.
std::string misplaced_leaf(const tile::Program& program, const Forms& forms, const tile::Assign& assign);

// The same of what is computed of a chunk of a matrix of instructions: uses with fewer columns than their values are
// chunks of those.
std::string misplaced_in_chunk(const tile::Program& program, const Forms& forms, tile::ValueId chunk,
                               const TypedPtr& expr);

// A window that is all of its operand, with new dims between, or one element of a dim that has no other.
bool is_whole_window(const Apply& slice);

}  // namespace pallasgen
