#include "tile/loop_facts.h"

#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

#include "tile/walk.h"

namespace pallasgen::tile {

namespace {

// Finds the variables of loops and the index values that are never negative.
class NonNegativeValues {
 public:
  explicit NonNegativeValues(const Program& program) : known_(program.declarations->facts()) {
    for (const Role& role : program.roles) {
      for_each_statement(role.body, [&](const Statement& statement) {
        if (const For* loop = statement.as<For>()) loops_.insert(loop->variable.id);
        const auto defined = defined_by(statement);
        if (defined && program.value(*defined).dtype == DType::index) values_.insert(defined->index);
      });
    }
    // Starts with all of them and drops what the facts about the others do not prove, until nothing changes.
    for (size_t before = 0; before != loops_.size() + values_.size();) {
      before = loops_.size() + values_.size();
      for (const Role& role : program.roles)
        for_each_statement(role.body, [&](const Statement& each) { note_definition(each); });
    }
  }

  bool has(const Symbol& symbol) const { return symbol.kind == SymbolKind::loop && loops_.count(symbol.id) > 0; }
  bool has(const LocalUse& use) const { return values_.count(use.id) > 0; }

 private:
  void note_definition(const Statement& statement) {
    SymbolFacts facts = known_;
    facts.minimum = [this](const Symbol& symbol) {
      return has(symbol) ? std::optional<int64_t>(0) : known_.minimum(symbol);
    };
    facts.value = [this](const LocalUse& use) { return has(use) ? Bounds{0, std::nullopt} : Bounds{}; };
    const auto is_proved = [&](const TypedPtr& expr) { return expr && bounds(expr, facts).minimum.value_or(-1) >= 0; };
    if (const For* loop = statement.as<For>(); loop && !(is_proved(loop->first) && is_proved(loop->step)))
      loops_.erase(loop->variable.id);
    const auto defined = defined_by(statement);
    const auto* assign = statement.as<Assign>();
    if (defined && !(assign && is_proved(assign->expr))) values_.erase(defined->index);
  }

  const SymbolFacts known_;
  std::set<int> loops_, values_;
};

}  // namespace

SymbolFacts facts_with_loops(const Program& program) {
  SymbolFacts facts = program.declarations->facts();
  const auto multiples = std::make_shared<std::map<int, int64_t>>();
  std::vector<const For*> loops;
  for (const Role& role : program.roles) {
    for_each_statement(role.body, [&](const Statement& statement) {
      if (const For* loop = statement.as<For>()) loops.push_back(loop), (*multiples)[loop->variable.id] = 0;
    });
  }
  facts.multiple_of = [multiples, known = facts.multiple_of](const Symbol& symbol) {
    const auto loop = symbol.kind == SymbolKind::loop ? multiples->find(symbol.id) : multiples->end();
    return loop == multiples->end() ? known(symbol) : loop->second;
  };
  // Starts at 0, a multiple of everything, and goes down until all loops agree: first values name other variables.
  for (bool changed = true; changed;) {
    changed = false;
    for (const For* loop : loops) {
      int64_t& multiple = (*multiples)[loop->variable.id];
      const int64_t common =
          std::gcd(multiple, std::gcd(multiple_of(loop->first, facts), multiple_of(loop->step, facts)));
      changed = changed || common != multiple;
      multiple = common;
    }
  }
  const auto not_negative = std::make_shared<const NonNegativeValues>(program);
  facts.minimum = [not_negative, known = facts.minimum](const Symbol& symbol) {
    const std::optional<int64_t> minimum = known(symbol);
    return minimum || !not_negative->has(symbol) ? minimum : 0;
  };
  facts.value = [not_negative](const LocalUse& use) {
    return not_negative->has(use) ? Bounds{0, std::nullopt} : Bounds{};
  };
  return facts;
}

}  // namespace pallasgen::tile
