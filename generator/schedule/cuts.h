#pragma once

#include "forms.h"

namespace pallasgen::schedule {

// Cuts the loop over the innermost sequential axis at the steps where guards of its body begin or cease to hold, so
// that no step of a piece tests what is the same for all of them. A loop has at most two cuts; guards that would need
// more stay branches.
void cut_loops(const Kernel& kernel, tile::Program& program, Translation& translation, tile::Block& block);

}  // namespace pallasgen::schedule
