#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Expects a selected program. Where `schedule.lookahead` names dots, each step of their loop issues them for the step
// after it, before its own other dots: the first step's named dots and what follows from them stand before the loop,
// the last step's other dots behind it, and what both need of a step is carried. What cannot be honoured goes to
// `refusals`.
void look_ahead(tile::Program& program);

}  // namespace pallasgen::schedule
