#pragma once

#include "questions/forms.h"
#include "tile/program.h"

namespace pallasgen {

// True if the statement adds to memory a reduction of columns of which each thread holds neighbouring elements. Atomics
// take these one by one, so the lanes of a warp would touch as many sectors as there are lanes. Where the reduction
// goes by elements, neighbouring threads add neighbouring elements.
bool adds_neighbours(const tile::Program& program, const tile::Role& role, const Forms& forms,
                     const tile::Write& write);

}  // namespace pallasgen
