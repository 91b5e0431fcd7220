#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// The order of a program's work in one thread of control: how CTAs walk over the grid; an accumulator that starts as
// zero is overwritten by the first of its instructions, and filled where there is no step; how many groups of
// instructions run on while the next step begins.
tile::Program one_thread(const tile::Program& program);

}  // namespace pallasgen::schedule
