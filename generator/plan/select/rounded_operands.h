#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Of dots whose instructions round (precision=tf32), a block that anything else reads too is rounded in a copy of its
// own, which threads make: what fills a slot for such instructions rounds it. Dots and their operands have names.
void round_operands(tile::Program& program, const Target& target);

}  // namespace pallasgen
