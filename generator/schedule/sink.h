#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Moves each read of a box into the branch that alone uses it: a read is pure, and what no step needs is not copied.
// It passes no store to its array, and nothing that other programs may tell the difference by.
void sink_reads(const tile::Program& program, tile::Block& block);

// Takes reads away whose value is defined anew before anything uses it.
void drop_unused_reads(const tile::Program& program, tile::Block& block);

// Takes away copies of a value to itself: passes give these a meaning of their own (schedule/unpack_again.h).
void drop_copies_to_themselves(tile::Block& block);

// Atomics give no old value where no statement uses it.
void drop_unused_old_values(const tile::Program& program, tile::Block& block);

// Takes away what computes and reads values that no statement uses, and then what these alone have used.
void drop_unused_values(const tile::Program& program, tile::Block& block);

}  // namespace pallasgen::schedule
