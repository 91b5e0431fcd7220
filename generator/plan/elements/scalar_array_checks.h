#pragma once

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// Puts run-time checks of the indices of arrays of scalars into the program of a role: each precedes the first
// statement that reads the element, also by a `let`, the size of an axis or `skip`, and is limited by the conditions of
// the spec under which the element is read at all. The reads themselves are guarded (with_guarded_elements).
void check_scalar_arrays(Draft& draft, const tile::Program& program, const tile::Role& role,
                         program::Statements& statements);

}  // namespace pallasgen
