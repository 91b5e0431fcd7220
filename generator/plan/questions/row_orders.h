#pragma once

#include <optional>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// How a role reduces rows of floats, as far as the bits depend on the order: `lanes` threads share a row, in vectors.
struct RowOrder {
  Span reduction;
  int64_t lanes = 0;  // 0: the row goes element by element
  int64_t vector = 1;
};

// The order of each such reduction, in the order of the program's statements. Reductions of accumulators are left out,
// as they have one order for any number of warpgroups. `program`: the program after the last pass.
std::vector<RowOrder> row_orders(const tile::Program& program);

// The first reduction that another program of the kernel would do in another order, so that its bits would differ. A
// function or a loop that is cut can make several reductions of one place in the spec. These are compared one by one if
// both programs have equally many, else each with any of them. Reductions may move from elements to registers, or from
// short vectors, read for want of a fact, to longer ones: warnings report these.
struct OtherOrder {
  RowOrder wanted, other;
};
std::optional<OtherOrder> other_order(const std::vector<RowOrder>& wanted, const std::vector<RowOrder>& others);

}  // namespace pallasgen
