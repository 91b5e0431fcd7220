#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "infer/moved_blocks.h"
#include "layout/layout.h"
#include "tile/program.h"

// Blocks that are matrices, whose rows or columns statements reduce: leading dims are more rows, or of one element.
namespace pallasgen {

// What a reduction goes along: the last dim alone, or the dim before the last alone of a block that has no others of
// several elements.
enum class Lines : uint8_t { rows, columns };

// Calls `visit` for each block of which the statement reduces all elements along such lines, with the reduction.
void for_each_reduced(const tile::Statement& statement, Lines lines,
                      const std::function<void(tile::ValueId, const Apply&)>& visit);

// How many threads a row of the block asks for, whose rows are reduced. Its shape decides, and no setting: the lanes of
// a row say in which order it is added up.
int64_t lanes_by_shape(const tile::Program& program, const MovedBlocks& moved, tile::ValueId value);

// Neighbouring elements that a thread has of a line of the block.
int64_t vector_of_lines(const tile::Program& program, const MovedBlocks& moved, tile::ValueId value);

// The layout of a block whose lines are reduced, of which a thread has `vector` neighbouring elements of a row, and
// `parameters` along its rows; null where so many threads cannot share its rows. `longest`: the most lanes that a row
// of the role's asks for.
std::optional<ValueLayout> layout_of_lines(Lines lines, int64_t threads, const Shape& shape, int64_t vector,
                                           bool parameters, int64_t longest);

}  // namespace pallasgen
