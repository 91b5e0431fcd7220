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

// The layout of a block whose lines are reduced, of which a thread has `vector` neighbouring elements of a row, and
// `parameters` along its rows; null where so many threads cannot share its rows.
std::optional<ValueLayout> layout_of_lines(Lines lines, int64_t threads, const Shape& shape, int64_t vector,
                                           bool parameters);

}  // namespace pallasgen
