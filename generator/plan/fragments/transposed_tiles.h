#pragma once

#include <cstdint>

#include "layout/layout.h"

namespace pallasgen {

// A tile in shared memory to which a block is stored by rows and from which it is loaded across them. The 16-byte
// chunks of each 128 bytes are exchanged: bits 4 to 6 of an element's byte offset are xored with its row, divided by
// `rows_together`, modulo 8, so that what a warp loads at once lies in different banks; 0: no chunk moves.
struct TransposedTile {
  int64_t rows_together = 0;
  int64_t store_turns = 1, load_turns = 1;  // of the banks, for one access of a warp
};

// Returns the tile with the fewest turns. `from`, `to`: layouts of the block and its transpose; `bytes`: of an element.
TransposedTile transposed_tile(const ValueLayout& from, const ValueLayout& to, int64_t vector, int64_t bytes);

}  // namespace pallasgen
