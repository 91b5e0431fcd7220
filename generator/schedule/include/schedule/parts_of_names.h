#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Replaces names for elementwise results of few operations on input blocks, if statements only take parts of them at
// constant places, by these operations on the parts: `xf[0:8]` becomes `x[0:8].astype(f32)`.
void take_parts_of_names(tile::Program& program);

}  // namespace pallasgen::schedule
