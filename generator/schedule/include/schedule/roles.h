#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Splits the only role if the spec asks for a producer: copies into shared memory, with the statements that lead to
// them, become a role of one warp, or of a warpgroup if threads copy, and each value that they fill a channel. A copy
// whose statements cannot run ahead of the rest stays; Program::decisions say why.
tile::Program split_into_roles(const tile::Program& program);

}  // namespace pallasgen::schedule
