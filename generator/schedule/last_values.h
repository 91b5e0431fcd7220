#pragma once

#include <vector>

#include "tile/program.h"

namespace pallasgen::schedule {

// A value that statements in front of a store define anew for the store alone, and the name that it has there.
struct LastValue {
  tile::ValueId value, named;
};

// Where a tile ends, nothing behind a store needs what the store is made of. Each such value that was another before,
// as an accumulator to which a block is added, gets a name of its own: it may be computed chunk by chunk.
std::vector<LastValue> name_last_values(tile::Program& program);

// The names from before, of values that the tiles still compute as a whole.
void take_names_back(tile::Program& program, const std::vector<LastValue>& named);

}  // namespace pallasgen::schedule
