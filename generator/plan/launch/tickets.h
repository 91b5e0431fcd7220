#pragma once

#include "program/draft.h"

namespace pallasgen {

// Puts the draw of ticket() before all else of a tile, whether or not it comes to where it is used; nothing where the
// body has none.
void take_ticket(Draft& draft, program::Statements& tile);

}  // namespace pallasgen
