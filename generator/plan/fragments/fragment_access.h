#pragma once

#include "fragments/fragment_values.h"

namespace pallasgen {

// Returns how threads access the box of a value in a fragment; `most`: the most elements of one access.
program::Access access_of(Draft& draft, FragmentValues& values, const tile::Box& box, tile::ValueId value,
                          int64_t most);
// Returns the statement that reads a box into the fragment of a value.
program::Load load_of(Draft& draft, FragmentValues& values, const tile::Read& read);
// Store the value to a tile (a field of Plan::shared), or load it from one: from its slice `part` (null: from it all).
program::Statement store_tile(const Draft& draft, FragmentValues& values, int tile, tile::ValueId value);
program::Statement load_tile(const Draft& draft, FragmentValues& values, tile::ValueId value, int tile,
                             const Apply* part = nullptr);

}  // namespace pallasgen
