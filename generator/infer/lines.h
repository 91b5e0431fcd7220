#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "infer/moved_blocks.h"
#include "layout/layout.h"
#include "tile/program.h"

// Blocks as matrices whose rows or columns statements reduce: leading dims are more rows, or have one element.
namespace pallasgen {

// What a reduction goes along: rows are the last dim (others of one element may be reduced, too); columns are the dim
// before the last, in a block whose other leading dims have one element.
enum class Lines : uint8_t { rows, columns };

// Calls `visit` with each block all of whose elements the statement reduces along such lines, and with the reduction.
void for_each_reduced(const tile::Statement& statement, Lines lines,
                      const std::function<void(tile::ValueId, const Apply&)>& visit);

// How many threads a row of a block whose rows are reduced wants. This depends on the shape and on no setting, as the
// lanes of a row determine the order of its sum.
int64_t lanes_by_shape(const tile::Program& program, const MovedBlocks& moved, tile::ValueId value);

// Neighbouring elements of a line of the block that a thread has.
int64_t vector_of_lines(const tile::Program& program, const MovedBlocks& moved, tile::ValueId value);

// The layout of a block whose lines are reduced; null if so many threads cannot share its rows. A thread has `vector`
// neighbouring elements of a row. `parameters`: vectors are used along its rows, too. `longest`: the most lanes that
// any row of the role wants.
std::optional<ValueLayout> layout_of_lines(Lines lines, int64_t threads, const Shape& shape, int64_t vector,
                                           bool parameters, int64_t longest);

}  // namespace pallasgen
