#include <fmt/format.h>

#include <algorithm>

#include "infer/moved_blocks.h"
#include "layout/warps.h"
#include "proofs/element_site.h"
#include "proofs/reductions.h"
#include "questions/blocks.h"
#include "questions/dot_limits.h"
#include "questions/instructions.h"
#include "questions/rows.h"
#include "size/size.h"
#include "tile/walk.h"

namespace pallasgen {

namespace threads_of_role {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::PathKind, tile::Program, tile::Read, tile::Role, tile::Statement, tile::Value, tile::ValueId;

// True if elements of the operand come from several places, or from places that depend on the data.
bool joins_parts(const TypedPtr& operand) {
  bool joins = false;
  walk(operand, [&](const Typed& node) {
    const Apply* apply = node.as<Apply>();
    joins = joins || (apply && (apply->op == Op::concatenate || apply->op == Op::reshape || is_scan(apply->op)));
  });
  return joins;
}

int64_t for_blocks(const Program& program, const Role& role) {
  constexpr int64_t kVectorBytes = 16;  // of one access
  const Value* largest = nullptr;
  const Shape *rows = nullptr, *columns = nullptr;
  int64_t warps = 0;  // that reductions other than of rows or columns keep busy
  int64_t vector = kVectorBytes;
  // Rows in shared memory are read in vectors as wide as those of their copies.
  int64_t copied = kVectorBytes;
  for (const Role& each : program.roles) {
    for_each_statement(each.body, [&](const Statement& statement) {
      const auto* put = statement.as<tile::Put>();
      if (!put || put->value) return;
      const int64_t whole = std::max<int64_t>(1, kVectorBytes * 8 / info(program.ref(put->box.ref).dtype).bits);
      copied = std::min(copied, tile::is_by_unit(put->path.kind) ? whole : put->path.vector);
    });
  }
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
        if (!reduction || operation(reduction->op).group != OpGroup::reduce) return;
        const Shape& shape = reduction->args[0]->shape;
        const bool whole = !joins_parts(reduction->args[0]);
        if (whole && reduces_columns(*reduction) && (combination(reduction->op) || is_position(reduction->op))) {
          if (!columns || elements_of(shape) > elements_of(*columns)) columns = &shape;
          return;
        }
        if (!whole || !reduces_rows(*reduction)) {
          if (elements_of(shape) >= 2 * kWarp * elements_of(node.shape))
            warps = std::max(warps, elements_of(node.shape));
          return;
        }
        if (wide_dims(shape).size() <= 2 && (!rows || elements_of(shape) > elements_of(*rows))) rows = &shape;
      });
    });
  });
  const int64_t least = whole_warps(kWarp * warps);
  // Blocks of the shape may be moved in wider vectors than other blocks are.
  const MovedBlocks blocks(program, role);
  const auto vector_of = [&](const Shape& shape) {
    const int64_t moved = blocks.widest_by_any_path(shape);
    return moved > 0 ? moved : std::min(vector, copied);
  };
  if (rows) return std::max(least, threads_of_rows(rows_frame(*rows, vector_of(*rows), blocks.has_parameters(*rows))));
  if (columns) return std::max(least, threads_of_columns(*columns, vector_of(*columns)));
  if (!largest) return least;
  const int64_t whole = std::max<int64_t>(1, kVectorBytes * 8 / info(largest->dtype).bits);
  const int64_t each = std::min(vector_of(largest->shape), whole);
  return std::max(least, threads_of_vectors((elements_of(largest->shape) + each - 1) / each));
}

// True if so many warps of the role can share each of its dots by instructions of warpgroups.
bool all_dots_can_share(const Program& program, Role role, int64_t warps, const Target& target) {
  role.warps = warps;
  bool all = true;
  for_each_statement(role.body, [&](const Statement& statement) {
    const auto* dot = dot_if(statement, &tile::Product::by_warpgroups);
    if (dot) all = all && beyond_limits(shape_of(program, role, *dot), target).empty();
  });
  return all;
}

}  // namespace threads_of_role

std::optional<WarpsChoice> warps_for_instructions(const tile::Program& program, const tile::Role& role,
                                                  const Target& target) {
  int64_t most = 0, each = 0;  // rows of a result, warps of an instruction
  bool divide = false;         // two warpgroups can divide rows
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto* dot = dot_if(statement, &tile::Product::by_warpgroups);
    if (!dot) return;
    each = dot->by->warps();
    const int64_t rows = program.value(dot->value).shape[0];
    most = std::max(most, rows);
    divide = divide || rows % (2 * target.mma_rows) == 0;
  });
  if (most == 0) return std::nullopt;
  if (const auto& asked = program.declarations->pipeline.compute_warpgroups.value)
    return WarpsChoice{*asked * each, fmt::format("compute_warpgroups: {}", *asked)};
  const std::string why = fmt::format("an accumulator has {} rows", most);
  for (const int64_t groups : divide ? std::vector<int64_t>{2, 1, 3} : std::vector<int64_t>{1, 2, 3}) {
    if (threads_of_role::all_dots_can_share(program, role, groups * each, target))
      return WarpsChoice{groups * each, why};
  }
  return WarpsChoice{(divide ? 2 : 1) * each, why};
}

bool copies_blocks(const tile::Role& role) {
  bool found = false;
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto* put = statement.as<tile::Put>();
    if (!put || put->value || tile::is_by_unit(put->path.kind)) return;
    int64_t elements = 1;
    for (const tile::BoxDim& dim : put->box.dims) elements *= dim.size.value_or(1);
    found = found || elements > put->path.vector * role.threads();
  });
  return found;
}

int64_t threads_for_blocks(const tile::Program& program, const tile::Role& role) {
  return threads_of_role::for_blocks(program, role);
}

}  // namespace pallasgen
