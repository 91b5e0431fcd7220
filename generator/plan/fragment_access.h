#pragma once

#include "fragment_values.h"

namespace pallasgen {

// How the box of a value in a fragment is reached; `most`: elements at once.
program::Access access_of(Draft& draft, FragmentValues& values, const tile::Box& box, tile::ValueId value,
                          int64_t most);
// The statement that reads a box into the fragment of a value.
program::Load load_of(Draft& draft, FragmentValues& values, const tile::Read& read);
// A tile = the value, and back.
program::Statement store_tile(FragmentValues& values, int tile, tile::ValueId value);
program::Statement load_tile(FragmentValues& values, tile::ValueId value, int tile);

}  // namespace pallasgen
