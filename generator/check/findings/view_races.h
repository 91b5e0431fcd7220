#pragma once

#include <vector>

#include "kernel/context.h"
#include "kernel/programs.h"

namespace pallasgen {

// Reports accesses of two programs to one element of a buffer, one of them a write: an error if the indices prove it, a
// warning if the written elements depend on data. `buffer`: the refs that share the buffer, one of them a view of
// global memory.
void check_shared_races(Context& context, const std::vector<int>& buffer, const GridSample& sample);

}  // namespace pallasgen
