#include <algorithm>
#include <numeric>

#include "blocks.h"
#include "rows.h"
#include "size.h"
#include "tile/walk.h"

namespace pallasgen {

namespace threads_of_role {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::PathKind, tile::Program, tile::Read, tile::Role, tile::Statement, tile::Value, tile::ValueId;

int64_t elements_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

int64_t for_blocks(const Program& program, const Role& role) {
  constexpr int64_t kVectorBytes = 16;  // of one access
  const Value* largest = nullptr;
  const Shape* rows = nullptr;
  int64_t vector = kVectorBytes;
  for_each_statement(role.body, [&](const Statement& statement) {
    if (const Read* read = statement.as<Read>(); read && read->path.kind == PathKind::direct)
      vector = std::min(vector, read->path.vector);
    if (const std::optional<ValueId> id = defined_by(statement)) {
      const Value& value = program.value(*id);
      if (!largest || elements_of(value.shape) > elements_of(largest->shape)) largest = &value;
    }
    for_each_expression(statement, [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) {
        const Apply* reduction = node.as<Apply>();
        if (!reduction || operation(reduction->op).group != OpGroup::reduce || !reduces_rows(*reduction)) return;
        const Shape& shape = reduction->args[0]->shape;
        if (wide_dims(shape).size() <= 2 && (!rows || elements_of(shape) > elements_of(*rows))) rows = &shape;
      });
    });
  });
  if (rows) return threads_of_rows(rows_frame(*rows, vector));
  if (!largest) return kWarp;
  vector = std::min(vector, std::max<int64_t>(1, kVectorBytes * 8 / info(largest->dtype).bits));
  const int64_t vectors = (elements_of(largest->shape) + vector - 1) / vector;
  return whole_warps((vectors + kVectorsInFlight - 1) / kVectorsInFlight);
}

}  // namespace threads_of_role

int64_t threads_for_blocks(const tile::Program& program, const tile::Role& role) {
  return threads_of_role::for_blocks(program, role);
}

}  // namespace pallasgen
