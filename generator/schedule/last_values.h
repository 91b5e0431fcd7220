#pragma once

#include <vector>

#include "tile/program.h"

namespace pallasgen::schedule {

// A value that statements before a store define again for the store alone, and its name there.
struct LastValue {
  tile::ValueId value, named;
};

// Gives values that nothing after a tile's store needs, and that have other definitions before, names of their own, so
// that they may be computed chunk by chunk. An example is an accumulator to which a block is added.
std::vector<LastValue> name_last_values(tile::Program& program);

// Restores the names of values that the tiles still compute as a whole.
void restore_names(tile::Program& program, const std::vector<LastValue>& named);

}  // namespace pallasgen::schedule
