#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Moves each read of a box into the only branch that uses it: a read has no effect, and what no step needs should not
// be copied. It passes no store to its array, and nothing that is ordered with other programs.
void sink_reads(const tile::Program& program, tile::Block& block);

// Removes reads whose value is defined again before anything uses it.
void drop_unused_reads(const tile::Program& program, tile::Block& block);

// Removes copies of a value to itself: passes give these a meaning of their own (schedule/unpack_again.h).
void drop_copies_to_themselves(tile::Block& block);

// Makes atomics drop their old value if no statement uses it.
void drop_unused_old_values(const tile::Program& program, tile::Block& block);

// Removes computations and reads of values that no statement uses, and then those of values that only these used.
void drop_unused_values(const tile::Program& program, tile::Block& block);

}  // namespace pallasgen::schedule
