#pragma once

#include "tile/program.h"

namespace pallasgen {

// Awaits an entry earlier, in the protocol of a role: if a step waits for some of its instructions while others run on,
// the entry that the next step needs first is awaited before the last wait of the step, if the step frees its own by
// then. The branch that asks if there is a next step keeps ptxas from moving that last wait up, before the computations
// that overlap with the instructions.
void wait_ahead(tile::Block& block);

}  // namespace pallasgen
