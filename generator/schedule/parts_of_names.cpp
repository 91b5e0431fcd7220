#include "schedule/parts_of_names.h"

#include <algorithm>
#include <map>
#include <set>

#include "expression/window.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace parts_of_names {

using tile::Assign, tile::Block, tile::Program, tile::Read, tile::Role, tile::Statement;

constexpr int kMostOperations = 4;  // for one element; parts that overlap repeat them

// The ranges that a node takes of a named value at constant places; null for other nodes.
const Apply* ranges_in(const Typed& node) {
  const Apply* slice = node.applies(Op::slice);
  if (!slice || !slice->args[0]->as<LocalUse>()) return nullptr;
  const std::vector<IndexItem>& items = slice->attributes.items;
  const bool ranges = std::all_of(items.begin(), items.end(), [](const IndexItem& item) {
    const auto* range = std::get_if<IndexSlice>(&item);
    return range && range->step == 1 && constant_value(range->start);
  });
  return ranges && items.size() == slice->args[0]->shape.size() ? slice : nullptr;
}

// True for operations of an instruction or two, and for single numbers, which are computed once.
bool is_short(const Typed& node) {
  const Apply* apply = node.as<Apply>();
  if (!apply || node.shape.empty()) return true;
  const Op op = apply->op;
  return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::maximum || op == Op::minimum ||
         op == Op::negate || op == Op::abs;
}

class PartsOfNames {
 public:
  explicit PartsOfNames(Program& program) : program_(program) {}

  // Returns true if a name was replaced.
  bool run() {
    for (const Role& role : program_.roles)
      tile::for_each_statement(role.body, [&](const Statement& statement) { note(statement); });
    for (const auto& [value, expr] : names_) {
      if (made_[value] == 1 && parts_.count(value) > 0 && whole_.count(value) == 0 && is_of_blocks(expr))
        given_.insert(value);
    }
    if (given_.empty()) return false;
    for (Role& role : program_.roles) change_in(role.body);
    return !given_.empty();
  }

 private:
  void note(const Statement& statement) {
    if (const auto defined = tile::defined_by(statement)) ++made_[defined->index];
    if (const Read* read = statement.as<Read>(); read && program_.ref(read->box.ref).role == RefRole::input)
      read_.insert(read->value.index);
    const Assign* assign = statement.as<Assign>();
    if (assign && assign->expr && !assign->expr->shape.empty() &&
        assign->expr->shape == program_.value(assign->value).shape)
      names_.emplace(assign->value.index, assign->expr);
    std::set<int> in_parts, elsewhere;
    tile::for_each_expression(statement, [&](const TypedPtr& expr) {
      if (!expr) return;
      rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
        if (const Apply* part = ranges_in(*node)) {
          in_parts.insert(part->args[0]->as<LocalUse>()->id);
          return node;
        }
        if (const auto* use = node->as<LocalUse>()) elsewhere.insert(use->id);
        return nullptr;
      });
    });
    parts_.insert(in_parts.begin(), in_parts.end());
    for (int value : tile::used_by(statement)) {
      if (in_parts.count(value) == 0 || elsewhere.count(value) > 0) whole_.insert(value);
    }
  }

  // True if the expression is made of blocks that are read once, by few operations on elements.
  bool is_of_blocks(const TypedPtr& expr) {
    bool plain = true, of_block = false;
    int operations = 0;
    walk(expr, [&](const Typed& node) {
      if (const auto* use = node.as<LocalUse>()) {
        plain = plain && made_[use->id] == 1 && (read_.count(use->id) > 0 || node.shape.empty());
        of_block = of_block || read_.count(use->id) > 0;
      }
      const Apply* apply = node.as<Apply>();
      const OpGroup group = apply ? operation(apply->op).group : OpGroup::elementwise;
      const bool moves = apply && (apply->op == Op::broadcast_to || ranges_in(node));
      operations += apply && !moves && !node.shape.empty() ? 1 : 0;
      plain = plain && !node.as<RefRead>() && !node.as<CallFunction>() &&
              (group == OpGroup::cast || group == OpGroup::scalars || moves || is_short(node));
    });
    return plain && of_block && operations <= kMostOperations;
  }

  void change_in(Block& block) {
    std::erase_if(block, [&](const Statement& statement) {
      const Assign* assign = statement.as<Assign>();
      return assign && given_.count(assign->value.index) > 0;
    });
    for (Statement& statement : block) {
      tile::change_own_expressions(statement, [&](TypedPtr& expr) {
        if (!expr) return;
        expr = rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
          const Apply* part = ranges_in(*node);
          const auto name = part ? names_.find(part->args[0]->as<LocalUse>()->id) : names_.end();
          if (name == names_.end() || given_.count(name->first) == 0) return nullptr;
          TypedPtr made = name->second;
          for (size_t d = 0; d < part->attributes.items.size(); ++d) {
            const auto& range = std::get<IndexSlice>(part->attributes.items[d]);
            if (made->shape[d] != range.size) made = window(made, d, range.start, range.size);
          }
          return made;
        });
      });
      for (Block* inner : tile::blocks_of(statement)) change_in(*inner);
    }
  }

  Program& program_;
  std::map<int, TypedPtr> names_;  // by value: the expression that a statement assigns to it
  std::map<int, int> made_;        // by value: number of statements that define it
  std::set<int> read_;             // values that are blocks of inputs
  std::set<int> parts_, whole_;    // values of which statements take parts; values that they take whole
  std::set<int> given_;            // names to replace
};

}  // namespace parts_of_names

void take_parts_of_names(tile::Program& program) {
  while (parts_of_names::PartsOfNames(program).run()) {
  }
}

}  // namespace pallasgen::schedule
