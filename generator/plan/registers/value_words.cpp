#include "registers/value_words.h"

#include <algorithm>

#include "proofs/element_site.h"
#include "proofs/reductions.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kWordBytes = 4, kBitsOfWord = 32;

// Whether the role converts the value's own elements, and whether it asks for the place of the best of them.
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

// Whether the role computes the value, or with it, in its own dtype, and not in another between casts.
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

// Whether a thread loads each of the value's elements by itself: none is packed with another then.
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
    const bool moves =
        apply && (apply->op == Op::concatenate || apply->op == Op::reshape || apply->op == Op::transpose);
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
  // Compilers take floats of a byte apart where they convert them, all of a thread's at once; short integers where they
  // convert them, too, or compare them with the best of them, and keep the places of bytes beside these.
  const DTypeInfo& type = info(value.dtype);
  const int64_t most = std::max<int64_t>(1, elements);
  if (type.is_float && type.bits == 8) return most;
  // What is computed with two bytes has been rounded in a register of its own, and stays there.
  if (type.is_float && type.bits == 16 && is_computed_in_dtype(program, role, id)) return most;
  if (type.bits <= 16 && is_loaded_by_elements(program, role, id)) return most;
  if (!type.is_float && type.bits <= 16) {
    // The same of integers: each is cut off in a register of its own.
    if (value.dtype != DType::boolean && is_computed_in_dtype(program, role, id)) return most;
    const TakenApart apart = taken_apart(role, id);
    if (apart.searched && type.bits <= 8) return most + most / 2;
    if (apart.searched || apart.converted) return most;
  }
  return (bytes_of(value.dtype, most) + kWordBytes - 1) / kWordBytes;
}

}  // namespace pallasgen
