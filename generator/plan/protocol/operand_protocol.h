#pragma once

#include "tile/program.h"

namespace pallasgen {

// Adds the fences and syncs of channels of operands that the role's threads make (computed_operands.h): its
// instructions read an entry after all threads wrote it, and the threads write the next after all instructions read
// this one.
void insert_operand_protocol(const tile::Program& program, tile::Role& role);
// Moves these channels to their next entries: before the next entry is filled, or at the end of the block.
void advance_operands(const tile::Program& program, tile::Role& role);

}  // namespace pallasgen
