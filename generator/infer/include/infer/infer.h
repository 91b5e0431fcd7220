#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "layout/layout.h"
#include "tile/program.h"

namespace pallasgen {

// Where a statement needs a value in another layout than the value has; or has computed a part of its expression in
// another than the rest of it wants.
struct NeededConversion {
  const tile::Statement* statement = nullptr;
  tile::ValueId value;         // that it uses; of a part: that it defines
  std::vector<TypedPtr> uses;  // the places of its expressions where it uses the value so; none: everywhere
  TypedPtr part;               // null: a value
  ValueLayout from, to;
};

// The layouts of a role's values that are in registers, and what must be converted.
struct Inferred {
  std::map<tile::ValueId, ValueLayout> layouts;
  std::map<tile::ValueId, Op> parts;  // what reduces the parts of those whose layouts are partial
  std::vector<NeededConversion> conversions;
  std::set<tile::ValueId> refused;  // accumulators whose rows are no 64 for each warpgroup of the role: without layouts
  std::vector<tile::Decision> decisions;
};

// Layouts for a role of `threads` threads. Accumulators of matrix instructions can have no others than theirs; then
// come `hints`, operands of the instructions, blocks whose rows are reduced, and last what loads move at once. Each
// goes through the expressions forwards and backwards to all values that had none before. A value has one layout, so
// that what a loop carries has it at both ends. Reductions give full results.
Inferred infer_layouts(const tile::Program& program, const tile::Role& role, int64_t threads,
                       const std::map<tile::ValueId, ValueLayout>& hints = {});

// The layouts of all values that are in registers. Each conversion becomes a statement of its own, the assignment of a
// value to another in another layout; so does each load of what threads compute with in shared memory.
tile::Program assign_layouts(const tile::Program& given);
// The vector along the columns of a matrix that the node is, `v[None, :]`; null: it is none. Of those that stay in
// shared memory, threads read elements where they are.
const LocalUse* column_vector(const Typed& node);

// What is wrong with the layouts of a program: a value in registers without one, one that does not hold each element,
// and a statement whose operands do not have the layouts that its result asks for. Empty: nothing.
std::vector<std::string> verify_layouts(const tile::Program& program);

}  // namespace pallasgen
