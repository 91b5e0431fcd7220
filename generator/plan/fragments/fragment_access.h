#pragma once

#include "fragments/fragment_values.h"

namespace pallasgen {

// How the box of a value in a fragment is reached; `most`: elements at once.
program::Access access_of(Draft& draft, FragmentValues& values, const tile::Box& box, tile::ValueId value,
                          int64_t most);
// The statement that reads a box into the fragment of a value.
program::Load load_of(Draft& draft, FragmentValues& values, const tile::Read& read);
// A tile = the value, and back; `part`: what the value is of the tile, an application of Op::slice; null: all of it.
program::Statement store_tile(const Draft& draft, FragmentValues& values, int tile, tile::ValueId value);
program::Statement load_tile(const Draft& draft, FragmentValues& values, tile::ValueId value, int tile,
                             const Apply* part = nullptr);

}  // namespace pallasgen
