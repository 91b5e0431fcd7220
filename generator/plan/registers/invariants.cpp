#include "registers/invariants.h"

#include <algorithm>
#include <utility>

#include "registers/value_words.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

void count_uses(const TypedPtr& expr, std::map<int, int64_t>& uses) {
  walk(expr, [&](const Typed& node) {
    if (const auto* use = node.as<LocalUse>()) ++uses[use->id];
  });
}

// True for expressions that an iteration of the loop may change.
class Changes {
 public:
  Changes(const tile::Program& program, const tile::Statement& loop)
      : program_(program), turn_(touched(program, loop)), changes_axes_(loop.as<tile::ForTiles>() != nullptr) {
    for_each_statement(tile::Block{loop}, [&](const tile::Statement& inner) {
      if (const auto* steps = inner.as<tile::For>()) variables_.insert({steps->variable.kind, steps->variable.id});
    });
  }

  bool operator()(const TypedPtr& expr) const {
    tile::Touched of;
    touch(program_, expr, of);
    bool found = !of.loads.empty() || of.ordered || (changes_axes_ && !of.axes.empty());
    for (int value : of.reads) found = found || turn_.defines.count(value) > 0;
    for (int axis : of.axes) found = found || variables_.count({SymbolKind::axis, axis}) > 0;
    walk(expr, [&](const Typed& node) {
      const auto* symbol = node.as<Symbol>();
      found = found || (symbol && variables_.count({symbol->kind, symbol->id}) > 0);
    });
    return found;
  }

 private:
  const tile::Program& program_;
  const tile::Touched turn_;
  const bool changes_axes_;
  std::set<std::pair<SymbolKind, int>> variables_;
};

// True if compilers hold the results in registers: elements that are computed from other elements or are random.
bool is_computed(const tile::Program& program, const TypedPtr& expr) {
  const Apply* apply = expr->as<Apply>();
  if (!apply || expr->shape.empty() || expr->dtype == DType::boolean) return false;
  if (operation(apply->op).group == OpGroup::shape || !is_by_elements(expr, true)) return false;
  bool in_registers = true, any = false;
  walk(expr, [&](const Typed& node) {
    const Apply* inner = node.as<Apply>();
    const auto* use = node.as<LocalUse>();
    any = any || (inner && operation(inner->op).group == OpGroup::random) ||
          (use && !program.value({use->id}).shape.empty());
    in_registers = in_registers && !(use && program.value({use->id}).home == tile::Home::shared);
  });
  return in_registers && any;
}

}  // namespace

Invariants::Invariants(const tile::Program& program, const tile::Role& role, const tile::Block& body)
    : program_(program), role_(role) {
  for_each_statement(body, [&](const tile::Statement& statement) {
    for_each_expression(statement, [&](const TypedPtr& expr) { count_uses(expr, uses_); });
  });
}

int64_t Invariants::words(const tile::Statement& loop) {
  const Changes changes(program_, loop);
  std::map<int, int64_t> uses;  // of each value in the held expressions
  int64_t words = 0;
  for_each_statement(tile::Block{loop}, [&](const tile::Statement& statement) {
    const auto* assign = statement.as<tile::Assign>();
    if (!assign || !assign->expr) return;
    rewrite(assign->expr, [&](const TypedPtr& node) -> TypedPtr {
      if (!is_computed(program_, node) || changes(node)) return nullptr;
      if (counted_.insert(node.get()).second) {
        words += elements_in_registers(program_, role_, node) * words_of_element(node->dtype);
        count_uses(node, uses);
      }
      return node;
    });
  });
  for (const auto& [value, count] : uses) {
    if (uses_.at(value) == count) words -= words_of(program_, role_, {value});
  }
  return std::max<int64_t>(0, words);
}

}  // namespace pallasgen
