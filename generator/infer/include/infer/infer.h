#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "layout/layout.h"
#include "tile/program.h"

namespace pallasgen {

// A statement needs a value in another layout than the value has, or a part of its expression in another than that in
// which the part is computed.
struct NeededConversion {
  const tile::Statement* statement = nullptr;
  tile::ValueId value;         // that it uses; for a part: that it defines
  std::vector<TypedPtr> uses;  // where its expressions use the value in that layout; none: everywhere
  TypedPtr part;               // null: the value itself is converted
  ValueLayout from, to;
};

// The layouts of a role's values in registers, and the conversions that they need.
struct Inferred {
  std::map<tile::ValueId, ValueLayout> layouts;
  std::map<tile::ValueId, Op> parts;  // how parts of values with partial layouts are combined
  std::vector<NeededConversion> conversions;
  std::set<tile::ValueId> refused;  // accumulators without layouts, as they lack 64 rows for each warpgroup of the role
  std::vector<tile::Decision> decisions;
};

// Chooses layouts for a role of `threads` threads. Those of accumulators of matrix instructions are fixed; then come
// `hints`, operands of the instructions, blocks whose rows are reduced, and last what loads move at once. Each goes
// through the expressions forwards and backwards to all values that have none yet. A value has one layout, so that a
// loop carries it in that layout throughout. Reductions give full results.
Inferred infer_layouts(const tile::Program& program, const tile::Role& role, int64_t threads,
                       const std::map<tile::ValueId, ValueLayout>& hints = {});

// Gives all values in registers layouts. Each conversion becomes a statement, the assignment of a value to another in
// another layout; so does each load of a block in shared memory that threads compute with.
tile::Program assign_layouts(const tile::Program& given);
// The vector along the columns of a matrix, `v[None, :]`; null for other nodes. Threads read the elements of such
// vectors from shared memory where they are.
const LocalUse* column_vector(const Typed& node);

// Describes what is wrong with the layouts of a program: values in registers without a layout, layouts that do not hold
// each element, and operands in other layouts than the result asks for. Empty if nothing is wrong.
std::vector<std::string> verify_layouts(const tile::Program& program);

}  // namespace pallasgen
