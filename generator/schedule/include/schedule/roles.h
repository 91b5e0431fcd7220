#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Splits the only role where the spec asks for a producer: copies of tensor and bulk paths into shared memory, with
// what leads to them, become a role of one warp, and each value that they fill a channel. A copy stays where it is if
// what leads to it cannot run ahead of the rest; Program::decisions say why.
tile::Program split_into_roles(const tile::Program& program);

}  // namespace pallasgen::schedule
