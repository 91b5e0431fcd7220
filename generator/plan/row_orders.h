#pragma once

#include <vector>

#include "tile/program.h"

namespace pallasgen {

// How a role reduces rows of floats whose order shows in the bits: so many lanes a row, of vectors of its elements.
struct RowOrder {
  Span reduction;
  int64_t lanes = 0;  // 0: the row goes element by element
  int64_t vector = 1;
};

// Of each reduction in the order of the program's statements; those of accumulators have one order in any number of
// warpgroups, and are left out. `program`: behind the last pass.
std::vector<RowOrder> row_orders(const tile::Program& program);

}  // namespace pallasgen
