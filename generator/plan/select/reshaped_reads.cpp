#include "select/reshaped_reads.h"

#include <map>
#include <set>

#include "questions/families.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

struct ReshapedUses {
  std::map<int, int> defined, used;  // by value: how many statements
  std::set<int> gathered, operands;
};

// True if instructions multiply the dot, as far as its dtypes and sides decide.
bool is_of_instructions(const tile::Program& program, const tile::Dot& dot, const Target& target) {
  const bool approximate = program.declarations->approximate_math;
  return !tile::given_up(program, tile::ChoiceKind::instructions, dot) &&
         choose_family(target, *dot.product->as<Apply>(), program.value(dot.value).dtype, approximate).row;
}

ReshapedUses reshaped_uses_in(const tile::Program& program, const Target& target) {
  ReshapedUses uses;
  for (const tile::Role& role : program.roles) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      if (const auto value = tile::defined_by(statement)) ++uses.defined[value->index];
      for (const int value : tile::used_by(statement)) ++uses.used[value];
      const auto* read = statement.as<tile::Read>();
      if (read && read->box.gathers()) uses.gathered.insert(read->value.index);
      const auto* dot = statement.as<tile::Dot>();
      if (!dot || !is_of_instructions(program, *dot, target)) return;
      for (const TypedPtr& operand : dot->product->as<Apply>()->args) {
        if (const auto* use = operand->as<LocalUse>()) uses.operands.insert(use->id);
      }
    });
  }
  return uses;
}

// The value of which the statement is the reshape; null if it is no reshape or cuts rows.
std::optional<int> reshaped_by(const tile::Statement& statement, const ReshapedUses& uses) {
  const auto* assign = statement.as<tile::Assign>();
  const Apply* reshape = assign && assign->expr ? assign->expr->applies(Op::reshape) : nullptr;
  const auto* of = reshape ? reshape->args[0]->as<LocalUse>() : nullptr;
  if (!of || uses.operands.count(assign->value.index) == 0) return std::nullopt;
  const auto once = [](const std::map<int, int>& counts, int value) {
    const auto count = counts.find(value);
    return count != counts.end() && count->second == 1;
  };
  const Shape &from = reshape->args[0]->shape, &to = assign->expr->shape;
  const bool rows = from.size() > to.size() && to.size() == 2 && from.back() == to.back();
  const bool alone = once(uses.defined, of->id) && once(uses.used, of->id) && once(uses.defined, assign->value.index);
  return rows && alone && uses.gathered.count(of->id) > 0 ? std::optional(of->id) : std::nullopt;
}

void read_in(tile::Block& block, const std::map<int, tile::ValueId>& reshaped) {
  std::erase_if(block, [&](const tile::Statement& statement) {
    const auto* assign = statement.as<tile::Assign>();
    return assign && std::any_of(reshaped.begin(), reshaped.end(),
                                 [&](const auto& entry) { return entry.second == assign->value; });
  });
  for (tile::Statement& statement : block) {
    for (tile::Block* inner : tile::blocks_of(statement)) read_in(*inner, reshaped);
    auto* read = statement.as<tile::Read>();
    const auto known = read ? reshaped.find(read->value.index) : reshaped.end();
    if (known != reshaped.end()) read->value = known->second;
  }
}

}  // namespace

void read_reshaped(tile::Program& program, const Target& target) {
  const ReshapedUses uses = reshaped_uses_in(program, target);
  std::map<int, tile::ValueId> reshaped;
  for (const tile::Role& role : program.roles) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      if (const std::optional<int> of = reshaped_by(statement, uses))
        reshaped.emplace(*of, statement.as<tile::Assign>()->value);
    });
  }
  for (tile::Role& role : program.roles) read_in(role.body, reshaped);
}

}  // namespace pallasgen
