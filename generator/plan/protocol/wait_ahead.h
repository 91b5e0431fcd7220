#pragma once

#include "tile/program.h"

namespace pallasgen {

// Expects the protocol of a role. Where a step waits for some of its instructions while others run on, an entry that
// the next step needs first, and whose own is freed by then, is awaited before the last wait of the step: the branch
// that asks whether there is a next step keeps ptxas from moving that wait up, in front of what runs beside the
// instructions.
void wait_ahead(tile::Block& block);

}  // namespace pallasgen
