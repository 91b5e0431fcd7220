#include "homes/inlined_values.h"

#include <algorithm>

#include "homes/element_operands.h"
#include "proofs/element_site.h"
#include "proofs/reductions.h"
#include "tile/walk.h"

namespace pallasgen {

TypedPtr assigned_by_elements(const tile::Program& program, const tile::Statement& statement) {
  if (!goes_by_elements(program, statement)) return nullptr;
  if (const auto* assign = statement.as<tile::Assign>()) return assign->expr;
  const auto* dot = statement.as<tile::Dot>();
  if (!dot || !dot->start) return dot ? dot->product : nullptr;
  const TypedPtr& product = dot->product;
  return make_typed(product->span, product->dtype, product->shape, Apply{Op::add, {dot->start, product}, {}});
}

InlinedValues::InlinedValues(const tile::Program& program, const tile::Role& role)
    : program_(program), homes_(program, role) {
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (!goes_by_elements(program, statement) && !is_control(statement) && !gathers(statement))
      in_registers_.merge(tile::used_by(statement));
  });
  find_in(role.body);
}

// Goes in the order of the program: whether a value is trivial depends on those before it.
void InlinedValues::find_in(const tile::Block& block) {
  for (size_t i = 0; i < block.size(); ++i) {
    const tile::Statement* next = i + 1 < block.size() ? &block[i + 1] : nullptr;
    if (const TypedPtr expr = assigned_by_elements(program_, block[i])) {
      const tile::ValueId value = *tile::defined_by(block[i]);
      if (may_be_inlined(value, expr, next)) expressions_[value.index] = expr;
    }
    const auto* read = block[i].as<tile::Read>();
    if (read && goes_by_elements(program_, block[i]) && !is_number(program_.value(read->value)) &&
        is_defined_once(read->value) && !homes_.changes(read->box.ref))
      reads_.insert(read->value.index);
    for (const tile::Block* inner : tile::blocks_of(block[i])) find_in(*inner);
  }
}

bool InlinedValues::is_defined_once(tile::ValueId value) const {
  const ElementUses& uses = homes_.uses();
  return uses.definitions.at(value.index) == 1 && uses.carried.count(value.index) == 0 &&
         in_registers_.count(value.index) == 0;
}

namespace {

// True if the expression takes elements by indices, which may lie outside.
bool indexes(const TypedPtr& expr) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const RefRead* read = node.as<RefRead>();
    found = found || (read && !read->whole) || node.applies(Op::slice);
  });
  return found;
}

}  // namespace

// `next` (may be null): the statement after the definition.
bool InlinedValues::may_be_inlined(tile::ValueId id, const TypedPtr& expr, const tile::Statement* next) const {
  const tile::Value& value = program_.value(id);
  const Kernel& kernel = *program_.declarations;
  if (is_number(value) || expr->shape != value.shape || is_computed_whole(kernel, expr) || !is_defined_once(id))
    return false;
  const auto* copied = expr->as<LocalUse>();
  if (copied && program_.value({copied->id}).home != tile::Home::shared && !is_number(program_.value({copied->id})))
    return false;  // it comes from registers
  if (kernel.checks_for("oob") && homes_.uses().sure.count(id.index) == 0 && indexes(expr)) return false;
  const auto found = homes_.uses().uses.find(id.index);
  const int uses = found == homes_.uses().uses.end() ? 0 : found->second;
  const auto* write = next ? next->as<tile::Write>() : nullptr;
  if (uses == 1 && write && write->value == id) return true;
  return (uses <= 1 || is_trivial(expr)) && homes_.stays(expr);
}

bool InlinedValues::is_trivial(const TypedPtr& expr) const {
  bool trivial = true;
  walk(expr, [&](const Typed& node) {
    if (const LocalUse* use = node.as<LocalUse>()) {
      const TypedPtr meant = expression_of(use->id);
      trivial = trivial && (!meant || is_trivial(meant));
    }
    if (node.as<CallFunction>()) trivial = false;
    const Apply* apply = node.as<Apply>();
    if (!apply) return;
    const OpGroup group = operation(apply->op).group;
    const bool compares = apply->op >= Op::logical_not && apply->op <= Op::not_equal;
    const bool moves = group == OpGroup::shape || group == OpGroup::cast || group == OpGroup::mask;
    trivial = trivial && (moves || compares || node.dtype == DType::index);
  });
  return trivial;
}

TypedPtr InlinedValues::expression_of(int value) const {
  const auto found = expressions_.find(value);
  return found == expressions_.end() ? nullptr : found->second;
}

void InlinedValues::note_use(tile::ValueId value, int64_t turns) {
  const TypedPtr meant = expression_of(value.index);
  if (!meant) return;
  turns_[value.index] = std::max(turns_[value.index], turns);
  if (elements_of(meant->shape) < turns && !is_trivial(meant)) kept_.insert(value.index);
}

std::optional<int64_t> InlinedValues::turns_of(tile::ValueId value) const {
  if (!expression_of(value.index) || kept_.count(value.index) > 0) return std::nullopt;
  const auto found = turns_.find(value.index);
  return found == turns_.end() ? elements_of(program_.value(value).shape) : found->second;
}

}  // namespace pallasgen
