#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Where `schedule.take_turns` names dots, the compute warpgroups issue each run of them in turns: a run is dots with
// nothing between them but the copies that they read. Settings that cannot be honoured go to `refusals`.
void take_turns(tile::Program& program);

}  // namespace pallasgen::schedule
