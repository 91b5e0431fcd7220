#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Expects a selected program. If `schedule.lookahead` names dots, each step of their loop issues them for the next
// step, before its own other dots. The first step's named dots and what follows from them go before the loop, the last
// step's other dots after it, and what both need of a step is carried. Settings that cannot be honoured go to
// `refusals`.
void look_ahead(tile::Program& program);

}  // namespace pallasgen::schedule
