#pragma once

#include <vector>

#include "kernel/context.h"
#include "kernel/programs.h"

namespace pallasgen {

// Accesses of two programs to one element of a buffer, one of which writes it: an error where indices show it, a
// warning where data decide what is written. `buffer`: the refs that are this buffer, a view of global memory among
// them.
void check_shared_races(Context& context, const std::vector<int>& buffer, const GridSample& sample);

}  // namespace pallasgen
