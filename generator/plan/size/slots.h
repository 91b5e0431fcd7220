#pragma once

#include <cstdint>

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Slots of a channel that keep enough copies in flight, by the bytes and products of one iteration of its innermost
// loop; 1 if it moves with no loop.
int64_t slots_to_hide_latency(const tile::Program& program, const tile::Channel& channel, const Target& target);

}  // namespace pallasgen
