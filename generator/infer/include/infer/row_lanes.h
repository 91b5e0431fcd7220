#pragma once

#include <cstdint>
#include <functional>

#include "infer/moved_blocks.h"
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

}  // namespace pallasgen
