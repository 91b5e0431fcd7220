#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// A name of the body for what few operations make of blocks of inputs, element by element, of which statements take
// parts at constant places alone, gives way to these operations on the parts: `xf[0:8]` becomes `x[0:8].astype(f32)`.
void take_parts_of_names(tile::Program& program);

}  // namespace pallasgen::schedule
