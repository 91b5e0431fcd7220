#include "hoisted_reductions.h"

#include "check/kernel.h"

namespace pallasgen::schedule {

using namespace tile;

bool is_reduction(const Typed& node) {
  const Apply* apply = node.as<Apply>();
  return apply && operation(apply->op).group == OpGroup::reduce;
}

bool reduces(const TypedPtr& expr) {
  bool found = false;
  walk(expr, [&](const Typed& node) { found = found || is_reduction(node); });
  return found;
}

bool short_circuits(const TypedPtr& expr) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const auto* apply = node.as<Apply>();
    if (apply && (apply->op == Op::where || apply->op == Op::logical_and || apply->op == Op::logical_or))
      found = found || apply->args[0]->shape.empty();
  });
  return found;
}

size_t hoist_reductions(Program& program, Block& statements, size_t at,
                        const std::function<bool(const TypedPtr&)>& taken) {
  Statement& statement = statements[at];
  Assign* assign = statement.as<Assign>();
  if (!assign || !assign->expr) return 0;
  Block made;
  const std::string name = program.value(assign->value).name;
  assign->expr = rewrite(assign->expr, [&](const TypedPtr& node) -> TypedPtr {
    if (!is_reduction(*node) || node == assign->expr) return nullptr;
    if (taken && !taken(node)) return node;
    const std::string own = name + "_" + std::string(operation(node->as<Apply>()->op).name);
    const ValueId value = add_value(program, {own, node->dtype, node->shape});
    made.push_back({statement.span, "", Assign{value, node}});
    return use(program, value, node->span);
  });
  if (made.empty()) return 0;
  std::swap(made.front().origin, statement.origin);
  const size_t added = made.size();
  statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(made.begin()),
                    std::make_move_iterator(made.end()));
  return added;
}

}  // namespace pallasgen::schedule
