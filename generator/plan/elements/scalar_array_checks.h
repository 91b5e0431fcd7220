#pragma once

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// Puts run-time checks of the indices of arrays of scalars into the program of a role: each stands before the first
// statement that reads the element, by a `let`, the size of an axis and `skip` too, under the conditions of the spec
// that decide whether the element is read at all. The reads themselves are guarded (with_guarded_elements).
void check_scalar_arrays(Draft& draft, const tile::Program& program, const tile::Role& role,
                         program::Statements& statements);

}  // namespace pallasgen
