#pragma once

#include "draft.h"
#include "tile/program.h"

namespace pallasgen {

// Plans a kernel by its tile program behind the last pass. False after a refusal.
bool plan_program(Draft& draft, const tile::Program& program);

}  // namespace pallasgen
