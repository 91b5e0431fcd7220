#include "tidy/shared_conditions.h"

#include <utility>

#include "program/program_walk.h"

namespace pallasgen {

namespace {

using namespace program;

// The condition of a store, unless it reads values or is an atomic whose old value is used; null if there is none.
TypedPtr condition_of(const Statement& statement) {
  const auto* store = std::get_if<StoreElement>(&statement.node);
  if (!store || !store->condition || (store->atomic && store->atomic->old_scalar >= 0)) return nullptr;
  bool reads = false;
  walk(store->condition, [&](const Typed& node) { reads = reads || node.as<LocalUse>(); });
  return reads ? nullptr : store->condition;
}

}  // namespace

void share_conditions(Statements& statements) {
  for (size_t i = 0; i < statements.size(); ++i) {
    for (Statements* inner : bodies_of(statements[i])) share_conditions(*inner);
    const TypedPtr condition = condition_of(statements[i]);
    if (!condition) continue;
    size_t end = i + 1;
    while (end < statements.size()) {
      const TypedPtr other = condition_of(statements[end]);
      if (!other || !equal(other, condition)) break;
      ++end;
    }
    if (end - i < 2) continue;
    If together{condition, {}, {}};
    for (size_t j = i; j < end; ++j) {
      std::get<StoreElement>(statements[j].node).condition = nullptr;
      together.then.push_back(std::move(statements[j]));
    }
    const auto first = statements.begin() + static_cast<std::ptrdiff_t>(i);
    statements.erase(first + 1, statements.begin() + static_cast<std::ptrdiff_t>(end));
    statements[i] = {"", false, std::move(together)};
  }
}

}  // namespace pallasgen
