#include "tile/loop_facts.h"

#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "tile/walk.h"

namespace pallasgen::tile {

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
  // From 0, a multiple of everything, down to what holds in all turns: first values name variables of other loops.
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
  return facts;
}

}  // namespace pallasgen::tile
