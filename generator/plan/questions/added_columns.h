#pragma once

#include "questions/forms.h"
#include "tile/program.h"

namespace pallasgen {

// Whether the statement adds to memory a reduction of columns whose threads hold neighbouring elements: atomics take
// these one by one, so that the lanes of a warp would touch as many sectors as they are. Neighbouring threads add
// neighbouring elements where the reduction goes by elements.
bool adds_neighbours(const tile::Program& program, const tile::Role& role, const Forms& forms,
                     const tile::Write& write);

}  // namespace pallasgen
