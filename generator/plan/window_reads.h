#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// A block of an input of which dots by matrix instructions take windows at constant places, and nothing takes more, is
// read window by window, so that each comes to a slot of its own as the instructions read it: `dot(x[0], y)`. Dots and
// their operands have names.
void read_windows(tile::Program& program, const Target& target);

}  // namespace pallasgen
