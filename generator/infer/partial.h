#pragma once

#include <map>
#include <set>

#include "infer/edges.h"
#include "tile/program.h"

namespace pallasgen {

// A value that a loop carries and only adds to and scales, `l = l * alpha + sum(p, axis=1)`, as parts: each holder adds
// up its own part from zero, and the parts meet once after the loop. The layout determines the order of a float sum, as
// in every reduction. Likewise a value that is only multiplied, from one, and one that is only combined by maximum or
// minimum, `m = maximum(m, max(x, axis=1))`, whose parts may start at any constant.
struct PartsOf {
  ValueLayout layout;
  Op reduction;  // sum, prod, max or min
  bool operator==(const PartsOf&) const = default;
};
struct PartialSums {
  std::map<tile::ValueId, PartsOf> parts;
  std::set<const tile::Statement*> updates;  // statements that use the value itself in parts
};
PartialSums partial_sums(const tile::Program& program, const tile::Role& role, const LayoutOf& layouts);

}  // namespace pallasgen
