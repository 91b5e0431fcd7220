#include "tile/slice.h"

#include "tile/text.h"
#include "tile/walk.h"
#include "value_set.h"

namespace pallasgen::tile {

namespace {

using May = std::function<bool(const Statement&)>;

bool is_control(const Statement& statement) {
  return statement.as<ForTiles>() || statement.as<For>() || statement.as<While>() || statement.as<If>();
}

// True for an assignment or a read, which has no effect but its value.
bool is_definition(const Statement& statement) { return statement.as<Assign>() || statement.as<Read>(); }

bool is_empty(const Statement& control) {
  for (const Block* block : blocks_of(control)) {
    if (!block->empty()) return false;
  }
  return true;
}

// Removes unread definitions, walking backwards because a value is needed by statements after its definition.
class DeadCode {
 public:
  explicit DeadCode(const May& may_go) : may_go_(may_go) {}

  // Changes `live` from the values that are live after the block to those before it.
  void block(Block& statements, ValueSet& live) const {
    Block out;
    for (size_t i = statements.size(); i-- > 0;) {
      Statement& at = statements[i];
      if (is_control(at)) {
        control(at, live);
        if (!is_empty(at)) out.push_back(std::move(at));
        continue;
      }
      const std::optional<ValueId> value = defined_by(at);
      if (value && !live.contains(value->index) && may_go_(at)) continue;
      if (value) live.erase(value->index);
      live.add(ValueSet(used_by(at)));
      out.push_back(std::move(at));
    }
    statements.assign(std::make_move_iterator(out.rbegin()), std::make_move_iterator(out.rend()));
  }

 private:
  void control(Statement& at, ValueSet& live) const {
    if (If* branch = at.as<If>()) {
      ValueSet otherwise = live;
      block(branch->then, live);
      block(branch->otherwise, otherwise);
      live.add(otherwise);
      if (!is_empty(at)) live.add(ValueSet(used_by(at)));
      return;
    }
    Block& body = *blocks_of(at).back();
    if (at.as<ForTiles>()) return block(body, live);
    While* turns = at.as<While>();
    // An iteration may need what the iteration before it defines.
    ValueSet after = live;
    for (bool grows = true; grows;) {
      Block tried = body;
      ValueSet head = after;
      block(tried, head);
      // The loop's condition and its test are needed only if an iteration does something.
      if (turns && !tried.empty()) {
        head.add(ValueSet(used_by(at)));
        for_each_statement(turns->test, [&](const Statement& made) { head.add(ValueSet(used_by(made))); });
      }
      grows = after.add(head);
    }
    ValueSet needed = after;
    block(body, needed);
    if (turns && body.empty()) turns->test.clear();
    if (is_empty(at)) return;
    live = std::move(after);
    live.add(ValueSet(used_by(at)));
  }

  const May& may_go_;
};

// Facts about values of index type. A value with several different definitions is unknown.
class Ranges {
 public:
  Ranges(const Program& program, const Block& body) : facts_(program.declarations->facts()) {
    for_each_statement(body, [&](const Statement& statement) {
      const std::optional<ValueId> value = defined_by(statement);
      if (!value) return;
      const Assign* assign = statement.as<Assign>();
      const auto [known, added] = definitions_.try_emplace(value->index, assign ? assign->expr : nullptr);
      if (!added && (!assign || !same(known->second, assign->expr))) known->second = nullptr;
    });
  }

  Ranges where(const TypedPtr& condition) const;
  static bool same(const TypedPtr& a, const TypedPtr& b) { return a && b && equal(a, b); }
  // True if `a <= b` always holds, following how minimums, maximums and definitions compose the two.
  bool ordered(const TypedPtr& a, const TypedPtr& b) const {
    if (same(a, b)) return true;
    if (bounds(index_apply(Op::subtract, b, a), facts_).minimum.value_or(-1) >= 0) return true;
    if (const TypedPtr meant = definition(a)) return ordered(meant, b);
    if (const TypedPtr meant = definition(b)) return ordered(a, meant);
    if (const Apply* smaller = a->applies(Op::minimum);
        smaller && any_operand(*smaller, [&](auto& x) { return ordered(x, b); }))
      return true;
    if (const Apply* larger = b->applies(Op::maximum);
        larger && any_operand(*larger, [&](auto& x) { return ordered(a, x); }))
      return true;
    if (const Apply* larger = a->applies(Op::maximum))
      return !any_operand(*larger, [&](auto& x) { return !ordered(x, b); });
    if (const Apply* smaller = b->applies(Op::minimum))
      return !any_operand(*smaller, [&](auto& x) { return !ordered(a, x); });
    return false;
  }

 private:
  template <class Test>
  static bool any_operand(const Apply& apply, Test&& test) {
    for (const TypedPtr& arg : apply.args) {
      if (test(arg)) return true;
    }
    return false;
  }
  TypedPtr definition(const TypedPtr& expr) const {
    const LocalUse* use = expr->as<LocalUse>();
    const auto found = use ? definitions_.find(use->id) : definitions_.end();
    return found == definitions_.end() ? nullptr : found->second;
  }

  SymbolFacts facts_;
  std::map<int, TypedPtr> definitions_;
};

// The facts where the condition holds: `size > 0` says that there is a step.
Ranges Ranges::where(const TypedPtr& condition) const {
  Ranges out = *this;
  const Apply* more = condition->applies(Op::greater);
  const Symbol* size = more ? more->args[0]->as<Symbol>() : nullptr;
  const std::optional<int64_t> least = size ? constant_value(more->args[1]) : std::nullopt;
  if (!least) return out;
  out.facts_.minimum = [known = facts_.minimum, of = *size, least = *least + 1](const Symbol& symbol) {
    const std::optional<int64_t> minimum = known(symbol);
    return symbol.kind == of.kind && symbol.id == of.id ? std::max(least, minimum.value_or(least)) : minimum;
  };
  return out;
}

void drop_carries(Block& block) {
  for (Statement& statement : block) {
    if (auto* branch = statement.as<If>()) branch->carry.clear();
    if (auto* loop = statement.as<For>()) loop->carry.clear();
    if (auto* loop = statement.as<While>()) loop->carry.clear();
    for (Block* inner : blocks_of(statement)) drop_carries(*inner);
  }
}

bool are_adjacent(const Program& program, const Ranges& ranges, const For& a, const For& b) {
  if (a.variable.kind != b.variable.kind || a.variable.name != b.variable.name) return false;
  if (constant_value(a.step) != 1 || constant_value(b.step) != 1 || !Ranges::same(a.last, b.first)) return false;
  if (!ranges.ordered(a.first, a.last) || !ranges.ordered(b.first, b.last)) return false;
  return to_text(program, a.body) == to_text(program, b.body);
}

void join_loops(const Program& program, const Ranges& ranges, Block& block) {
  for (size_t i = 0; i < block.size(); ++i) {
    if (If* branch = block[i].as<If>()) {
      join_loops(program, ranges.where(branch->condition), branch->then);
      join_loops(program, ranges, branch->otherwise);
    } else {
      for (Block* inner : blocks_of(block[i])) join_loops(program, ranges, *inner);
    }
    For* last = i > 0 ? block[i - 1].as<For>() : nullptr;
    const For* next = block[i].as<For>();
    if (!last || !next || !are_adjacent(program, ranges, *last, *next)) continue;
    last->last = next->last;
    block.erase(block.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

Block without_dead_code(const Block& body, const May& keep) {
  Block out;
  for (const Statement& statement : body) {
    if (!is_control(statement)) {
      if (keep(statement) || is_definition(statement)) out.push_back(statement);
      continue;
    }
    out.push_back(statement);
    for (Block* inner : blocks_of(out.back())) *inner = without_dead_code(*inner, keep);
    if (is_empty(out.back())) out.pop_back();
  }
  return out;
}

// True if a block has a wanted statement; adds what that statement and the loops and branches around it read.
bool need(const Program& program, const Block& body, const May& keep, std::set<int>& out) {
  bool any = false;
  for (const Statement& statement : body) {
    bool wanted = !is_control(statement) && keep(statement);
    for (const Block* inner : blocks_of(statement)) wanted |= need(program, *inner, keep, out);
    if (wanted) {
      out.merge(used_by(statement));
      any = true;
    }
  }
  return any;
}

}  // namespace

void remove_unread(Block& body, const May& may_go) {
  ValueSet live;
  DeadCode(may_go).block(body, live);
}

std::set<int> needed_by(const Program& program, const Block& body, const May& keep) {
  std::set<int> out;
  need(program, body, keep, out);
  for (size_t before = out.size() + 1; before != out.size();) {
    before = out.size();
    need(
        program, body,
        [&](const Statement& statement) {
          const std::optional<ValueId> value = defined_by(statement);
          return value && out.count(value->index) > 0;
        },
        out);
  }
  return out;
}

Block slice(const Program& program, const Block& body, const May& keep) {
  Block out = without_dead_code(body, keep);
  drop_carries(out);
  const auto may_go = [&](const Statement& statement) { return !keep(statement); };
  remove_unread(out, may_go);
  join_loops(program, Ranges(program, body), out);
  remove_unread(out, may_go);
  return out;
}

}  // namespace pallasgen::tile
