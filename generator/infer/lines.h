#pragma once

#include <functional>
#include <optional>

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

// The lanes that a row of the block asks for, of which each has `vector` neighbouring elements, and `parameters` along
// rows.
int64_t lanes_by_shape(const Shape& shape, int64_t vector, bool parameters);

// The layout of a block whose lines are reduced; null where so many threads cannot share its rows. `longest`: the most
// lanes that a row of the role's asks for. Shapes decide how many share a row, and no setting of the threads: it says
// in which order the row is added up.
std::optional<ValueLayout> layout_of_lines(Lines lines, int64_t threads, const Shape& shape, int64_t vector,
                                           bool parameters, int64_t longest);

}  // namespace pallasgen
