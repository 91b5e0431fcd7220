#include "registers/value_words.h"

#include <algorithm>

#include "expression/index_map.h"
#include "proofs/element_site.h"
#include "proofs/reductions.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kWordBytes = 4, kBitsOfWord = 32;

// Uses that unpack a value: the role converts its elements, or searches them for the place of an extremum.
struct TakenApart {
  bool converted = false, searched = false;
};
TakenApart taken_apart(const tile::Role& role, tile::ValueId id) {
  TakenApart found;
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    const tile::Assign* assign = statement.as<tile::Assign>();
    if (!assign || !assign->expr) return;
    walk(assign->expr, [&](const Typed& node) {
      const Apply* apply = node.as<Apply>();
      const bool searches = apply && is_position(apply->op);
      if (!apply || (!searches && operation(apply->op).group != OpGroup::cast)) return;
      walk(apply->args[0], [&](const Typed& operand) {
        const auto* use = operand.as<LocalUse>();
        if (use && use->id == id.index) (searches ? found.searched : found.converted) = true;
      });
    });
  });
  return found;
}

// True if the role computes the value, or an expression of it, in its own dtype rather than in another between casts.
bool is_computed_in_dtype(const tile::Program& program, const tile::Role& role, tile::ValueId id) {
  const DType dtype = program.value(id).dtype;
  bool found = false;
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    const tile::Assign* assign = statement.as<tile::Assign>();
    if (!assign || !assign->expr) return;
    const auto computes = [&](const Typed& node) {
      const Apply* apply = node.as<Apply>();
      return apply && operation(apply->op).group == OpGroup::elementwise && apply->op != Op::where &&
             node.dtype == dtype;
    };
    found = found || (assign->value == id && computes(*assign->expr));
    walk(assign->expr, [&](const Typed& node) {
      if (!computes(node)) return;
      for (const TypedPtr& operand : node.as<Apply>()->args) {
        const auto* use = operand->as<LocalUse>();
        found = found || (use && use->id == id.index);
      }
    });
  });
  return found;
}

// True if a thread loads the value's elements one by one, so that none is packed with another.
bool is_loaded_by_elements(const tile::Program& program, const tile::Role& role, tile::ValueId id) {
  bool found = false;
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto* read = statement.as<tile::Read>();
    found = found || (read && read->value == id && read->path.kind == tile::PathKind::direct && read->path.vector == 1);
  });
  return found && program.value(id).dtype != DType::boolean;
}

}  // namespace

int64_t words_of_element(DType dtype) { return std::max<int64_t>(1, info(dtype).bits / kBitsOfWord); }

int64_t elements_in_registers(const tile::Program& program, const tile::Role& role, const TypedPtr& expr) {
  const int64_t threads = std::max<int64_t>(1, role.threads());
  int64_t most = (elements_of(expr->shape) + threads - 1) / threads;
  walk(expr, [&](const Typed& node) {
    const auto* use = node.as<LocalUse>();
    if (!use || node.shape != expr->shape) return;
    if (const auto& layout = program.value({use->id}).layout) most = std::max(most, registers_per_thread(*layout));
  });
  return most;
}

bool is_by_elements(const TypedPtr& expr, bool random) {
  bool all = true;
  walk(expr, [&](const Typed& node) {
    const Apply* apply = node.as<Apply>();
    const OpGroup group = apply ? operation(apply->op).group : OpGroup::elementwise;
    const std::optional<IndexMap> map = index_map(node);
    const bool moves = group == OpGroup::shape && !apply->args.empty() && !(map && map->is_in_order());
    all = all && !node.as<RefRead>() && !moves &&
          (group == OpGroup::elementwise || group == OpGroup::cast || group == OpGroup::shape ||
           (random && group == OpGroup::random));
  });
  return all;
}

int64_t words_of(const tile::Program& program, const tile::Role& role, tile::ValueId id) {
  const tile::Value& value = program.value(id);
  if (value.home == tile::Home::shared) return 0;
  const int64_t elements =
      value.layout ? registers_per_thread(*value.layout)
                   : elements_of(value.shape) / (value.shape.empty() ? 1 : std::max<int64_t>(1, role.threads()));
  // Compilers unpack all one-byte floats of a thread at once to convert them. They also unpack short integers to
  // convert them or to compare them with the extremum, and then hold the places of bytes too.
  const DTypeInfo& type = info(value.dtype);
  const int64_t most = std::max<int64_t>(1, elements);
  if (type.is_float && type.bits == 8) return most;
  // A result in a 16-bit float dtype is rounded in a register of its own, and stays there.
  if (type.is_float && type.bits == 16 && is_computed_in_dtype(program, role, id)) return most;
  if (type.bits <= 16 && is_loaded_by_elements(program, role, id)) return most;
  if (!type.is_float && type.bits <= 16) {
    // Likewise each integer is truncated in a register of its own.
    if (value.dtype != DType::boolean && is_computed_in_dtype(program, role, id)) return most;
    const TakenApart apart = taken_apart(role, id);
    if (apart.searched && type.bits <= 8) return most + most / 2;
    if (apart.searched || apart.converted) return most;
  }
  return (bytes_of(value.dtype, most) + kWordBytes - 1) / kWordBytes;
}

}  // namespace pallasgen
