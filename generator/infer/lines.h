#pragma once

#include <optional>

#include "infer/row_lanes.h"
#include "layout/layout.h"

namespace pallasgen {

// Neighbouring elements that a thread has of a line of the block.
int64_t vector_of_lines(const tile::Program& program, const MovedBlocks& moved, tile::ValueId value);

// The layout of a block whose lines are reduced, of which a thread has `vector` neighbouring elements of a row, and
// `parameters` along its rows; null where so many threads cannot share its rows. `longest`: the most lanes that a row
// of the role's asks for.
std::optional<ValueLayout> layout_of_lines(Lines lines, int64_t threads, const Shape& shape, int64_t vector,
                                           bool parameters, int64_t longest);

}  // namespace pallasgen
