#pragma once

#include <map>
#include <set>

#include "infer/edges.h"
#include "tile/program.h"

namespace pallasgen {

// Sums that a loop carries and only adds to and scales: `l = l * alpha + sum(p, axis=1)`. Each holder of a part adds up
// its own, from a start of zero, so that they meet once behind the loop. The order of a float sum is then the layout's,
// as that of every reduction is. The same of what a loop carries and only multiplies, from a start of one, and of what
// it takes the largest or least with: `m = maximum(m, max(x, axis=1))`, whose parts may start as any constant.
struct PartsOf {
  ValueLayout layout;
  Op reduction;  // sum, prod, max or min
  bool operator==(const PartsOf&) const = default;
};
struct PartialSums {
  std::map<tile::ValueId, PartsOf> parts;
  std::set<const tile::Statement*> updates;  // in which the value itself is used in parts
};
PartialSums partial_sums(const tile::Program& program, const tile::Role& role, const LayoutOf& layouts);

}  // namespace pallasgen
