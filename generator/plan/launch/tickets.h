#pragma once

#include "program/draft.h"

namespace pallasgen {

// Draws ticket() at the start of a tile, even if the tile may not come to its use; does nothing if the body has none.
void take_ticket(Draft& draft, program::Statements& tile);

}  // namespace pallasgen
