#pragma once

#include <map>
#include <set>

#include "layout/convert.h"
#include "tile/program.h"

namespace pallasgen {

// Where a statement needs a value in another layout than the value has; or has computed its result in another.
struct NeededConversion {
  const tile::Statement* statement = nullptr;
  tile::ValueId value;
  ValueLayout from, to;
  std::optional<Reduction> sums;  // where `from` is partial: what comes before the moves
  Conversion moves;
};

// The layouts of a role's values that are in registers, and what must be converted.
struct Inferred {
  std::map<tile::ValueId, ValueLayout> layouts;
  std::vector<NeededConversion> conversions;
  std::set<tile::ValueId> refused;  // accumulators whose rows are no 64 for each warpgroup of the role: without layouts
  std::vector<tile::Decision> decisions;
};

// Layouts for a role of `threads` threads. Accumulators of matrix instructions can have no others than theirs; then
// come `hints`, operands of the instructions, and last what loads move at once. Each goes through the expressions
// forwards and backwards to all values that had none before. A value has one layout, so that what a loop carries has it
// at both ends. Reductions give full results.
Inferred infer_layouts(const tile::Program& program, const tile::Role& role, int64_t threads,
                       const std::map<tile::ValueId, ValueLayout>& hints = {});

}  // namespace pallasgen
