#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "program/draft.h"
#include "program/slot_layout.h"
#include "questions/dot_limits.h"
#include "tile/program.h"

namespace pallasgen {

// What a dot by matrix instructions reads: entries of channels, or A of registers.
struct MmaOperands {
  std::optional<tile::Entry> a;  // null: registers
  tile::Entry b;
  tile::ValueId in_registers = {-1};
};
// Null where an operand is neither.
std::optional<MmaOperands> mma_operands(const tile::Role& role, const tile::Dot& dot);

// Whether operand 0 or 1 of a dot of threads lies swizzled: of neighbours in a warp each reads another row of b, whose
// rows run along k.
bool lies_swizzled(const Target& target, const Apply& product, size_t operand);
// By channel and member; what no instruction reads, and no threads that would meet in its banks, lies row by row.
std::map<std::pair<int, int>, SlotLayout> slot_layouts(const Target& target, const tile::Program& program);

// Members of channels, by channel and member, of which threads load blocks in the layout that instructions give or
// take. Eight neighbouring rows are read at once, as instructions do.
std::set<std::pair<int, int>> loaded_as_operands(const tile::Program& program);

// The dot of a role beside a producer, as its limits take it.
DotShape shape_of(const tile::Program& program, const tile::Role& role, const tile::Dot& dot);

// Whether the dot adds to what its accumulator holds, in each step or, as it says, in each but the first of an axis; or
// begins anew.
std::optional<program::Accumulate> accumulation(const tile::Dot& dot);
// Whether the accumulator is set to another value first.
bool starts_from_another(const tile::Dot& dot);

// What the file calls the parts of a dot.
struct MmaNumbers {
  Number rows;                // of a warpgroup
  Number columns;             // of the accumulator
  Number depth;               // contracted in one step
  int ring = -1;              // of B
  DType dtype = DType::bf16;  // of B
};
// Where a dot stands in the plan: fragments and rings; ring_a is -1 where A is a fragment.
struct MmaPlace {
  int accumulator, a, ring_a, ring_b;
  TypedPtr first_row = nullptr, first_column = nullptr;  // of the warpgroup's part of the accumulator; null: 0
};
// The instructions of a dot.
program::Mma mma_of(Draft& draft, const tile::Dot& dot, const MmaPlace& place, const MmaOperands& operands,
                    const MmaNumbers& numbers);

}  // namespace pallasgen
