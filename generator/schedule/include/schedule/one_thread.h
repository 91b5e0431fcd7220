#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Orders a program's work in one thread of control: how CTAs walk over the grid; that the first of its instructions
// overwrites an accumulator which starts as zero, and that it is filled if there is no step; how many groups of
// instructions run on while the next step begins.
tile::Program one_thread(const tile::Program& program);

}  // namespace pallasgen::schedule
