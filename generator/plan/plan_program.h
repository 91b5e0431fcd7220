#pragma once

#include <functional>

#include "draft.h"
#include "tile/program.h"

namespace pallasgen {

// How many stages, of at most so many, the kernel has a plan with; 0: with none.
using StagesThatPlan = std::function<int64_t(int64_t most)>;

// Plans a kernel by its tile program behind the last pass. False after a refusal; where shared memory lacks it names
// the number of stages that `stages` finds.
bool plan_program(Draft& draft, const tile::Program& program, const StagesThatPlan& stages = {});

}  // namespace pallasgen
