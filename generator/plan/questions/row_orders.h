#pragma once

#include <optional>
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

// The first reduction that another program of the kernel would do in another order, so that its bits would differ.
// Those of one place of the spec, of which a function or a loop that is cut makes several, are compared one by one
// where both programs have as many, else each with any of them. What goes element by element at first may come to
// registers, and what is read in short vectors for want of a fact, to longer ones: warnings tell.
struct OtherOrder {
  RowOrder wanted, other;
};
std::optional<OtherOrder> other_order(const std::vector<RowOrder>& wanted, const std::vector<RowOrder>& others);

}  // namespace pallasgen
