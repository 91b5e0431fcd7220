#include "habits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "evaluate.h"
#include "language.h"

namespace pallasgen {

namespace {

// Modules as Python imports them.
const std::set<std::string> kModules = {"np",    "jnp", "numpy", "jax",   "lax",   "nn",
                                        "torch", "tl",  "pl",    "plgpu", "pltpu", "math"};

std::string arguments_text(const CallExpr* call, std::vector<std::string> words) {
  if (call) {
    for (const ExprPtr& arg : call->args) words.push_back(to_string(*arg));
    for (const KeywordArgument& keyword : call->keywords)
      words.push_back(fmt::format("{}={}", keyword.name, to_string(*keyword.value)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// Of `pl.program_id(1)` the axis; null where the grid has none of that number.
const Axis* axis_of(const TypingContext& in, const CallExpr* call) {
  const IntegerLiteral* number = call && call->args.size() == 1 ? call->args[0]->as<IntegerLiteral>() : nullptr;
  // The kernel has the parallel axes first; the numbers are places in the spec.
  std::vector<const Axis*> axes;
  for (const Axis& axis : in.context.kernel.axes) axes.push_back(&axis);
  std::sort(axes.begin(), axes.end(), [](const Axis* a, const Axis* b) { return a->span.begin < b->span.begin; });
  return number && number->value < axes.size() ? axes[number->value] : nullptr;
}

std::string remedy_for_module(const TypingContext& in, const AttributeExpr& node, const CallExpr* call) {
  if (node.name == "program_id" || node.name == "num_programs") {
    const Axis* axis = axis_of(in, call);
    if (!axis)
      return "axes go by their names: 'i' is the program's place along the axis i, num_programs(i) how many there are";
    return node.name == "num_programs"
               ? fmt::format("write num_programs({})", axis->name)
               : fmt::format("the axis '{0}' goes by its name, which is the program's place along it: write {0}",
                             axis->name);
  }
  if (node.name == "load") return "the block of a ref is read by its name, parts of it as x[0:4]";
  if (node.name == "store") return "a ref is written by an assignment: y[...] = …";
  if (node.name == "when") return "a condition is an entry of the body: `- when: k == 0`, its statements under `do:`";
  if (node.name == "fori_loop") return "a loop is an entry of the body: `- for: k`, with `range: 4` and `do:`";
  if (dtype_named(node.name)) return fmt::format("dtypes have no module: write {}", node.name);
  if (is_language_name(node.name))
    return fmt::format("operations have no module: write {}({})", node.name, arguments_text(call, {}));
  return "";
}

// The sizes of what has them, a name for each where a block has one.
std::string remedy_for_shape(const TypingContext& in, const AttributeExpr& node) {
  const NameExpr* name = node.base->as<NameExpr>();
  if (!name) return "sizes are known while a spec is read: write the const or the number";
  for (size_t ref = 0; ref < in.context.kernel.refs.size(); ++ref) {
    if (in.context.kernel.refs[ref].name != name->name) continue;
    std::vector<std::string> sizes;
    for (const int64_t size : shape_of_ref(in.context, static_cast<int>(ref))) sizes.push_back(std::to_string(size));
    return fmt::format(
        "the block of '{}' has [{}] elements: write the const or the number, and the name of a dim for the "
        "array's size",
        name->name, fmt::join(sizes, ", "));
  }
  return "sizes are known while a spec is read: write the const or the number";
}

}  // namespace

std::string remedy_for_attribute(const TypingContext& in, const AttributeExpr& node, const CallExpr* call) {
  const NameExpr* base = node.base->as<NameExpr>();
  const bool known = base && ((in.scope && in.scope->find(base->name)) || in.context.find(base->name));
  if (base && !known && kModules.contains(base->name)) return remedy_for_module(in, node, call);
  if (node.name == "shape") return remedy_for_shape(in, node);
  if (node.name == "dtype") return "a dtype goes by its name: f32";
  if (is_language_name(node.name) && !dtype_named(node.name))
    return fmt::format("it is an operation: write {}({})", node.name, arguments_text(call, {to_string(*node.base)}));
  return "";
}

}  // namespace pallasgen
