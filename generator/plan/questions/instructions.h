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

// The operands of a dot by matrix instructions: entries of channels, or registers for A.
struct MmaOperands {
  std::optional<tile::Entry> a;  // null: registers
  tile::Entry b;
  tile::ValueId in_registers = {-1};
};
// Null if an operand is neither.
std::optional<MmaOperands> mma_operands(const tile::Role& role, const tile::Dot& dot);

// True if operand 0 or 1 of a dot by threads is swizzled in shared memory: B, if its rows run along k, since each of
// the neighbouring threads of a warp then reads another row.
bool lies_swizzled(const Target& target, const Apply& product, size_t operand);
// Layouts by channel and member. Others are stored row by row: no instructions or conflicting threads read them.
std::map<std::pair<int, int>, SlotLayout> slot_layouts(const Target& target, const tile::Program& program);

// Members of channels, by channel and member, from which threads load blocks in the layout of instructions' operands or
// results. Such loads read eight neighbouring rows at once, as instructions do.
std::set<std::pair<int, int>> loaded_as_operands(const tile::Program& program);

// The sizes of a role's dot that its limits depend on.
DotShape shape_of(const tile::Program& program, const tile::Role& role, const tile::Dot& dot);

// Says when the dot adds to its accumulator: in each step, in each but the first of an axis, or from its second
// instruction on. Null if its condition says something else.
std::optional<program::Accumulate> accumulation(const tile::Dot& dot);
// True if the accumulator is set to another value first.
bool starts_from_another(const tile::Dot& dot);

// Sizes and other properties of a dot, by their names in the file.
struct MmaNumbers {
  Number rows;                // of a warpgroup
  Number columns;             // of the accumulator
  Number depth;               // contracted in one step
  int ring = -1;              // of B
  DType dtype = DType::bf16;  // of B
};
// The fragments and rings of a dot in the plan; ring_a is -1 if A is a fragment.
struct MmaPlace {
  int accumulator, a, ring_a, ring_b;
  TypedPtr first_row = nullptr, first_column = nullptr;  // of the warpgroup's part of the accumulator; null: 0
};
// The instructions of a dot.
program::Mma mma_of(Draft& draft, const tile::Dot& dot, const MmaPlace& place, const MmaOperands& operands,
                    const MmaNumbers& numbers);

}  // namespace pallasgen
