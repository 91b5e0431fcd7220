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
  const size_t given = call && call->keywords.empty() ? call->args.size() : 0;
  if (node.name == "load") {
    return given == 1 ? fmt::format("the block of a ref is read by its name: write {}", to_string(*call->args[0]))
                      : "the block of a ref is read by its name, parts of it as x[0:4]";
  }
  if (node.name == "store") {
    return given == 2 ? fmt::format("a ref is written by an assignment: write {}[...] = {}", to_string(*call->args[0]),
                                    to_string(*call->args[1]))
                      : "a ref is written by an assignment: y[...] = …";
  }
  if (node.name == "when") return "a condition is an entry of the body: `- when: k == 0`, its statements under `do:`";
  if (node.name == "fori_loop") return "a loop is an entry of the body: `- for: k`, with `range: 4` and `do:`";
  const std::string dtype = dtype_named(node.name) ? node.name : dtype_called(node.name);
  if (!dtype.empty()) return fmt::format("dtypes have no module: write {}", dtype);
  const std::string word = is_language_name(node.name) ? node.name : operation_called(node.name);
  if (word.empty()) return "";
  return call ? fmt::format("operations have no module: write {}({})", word, arguments_text(call, {}))
              : fmt::format("the language has no modules: write {}", word);
}

// The name that a chain of attributes begins with, `jax` of `jax.nn.relu`; null for other expressions.
const NameExpr* root_of(const ExprPtr& expr) {
  const AttributeExpr* attribute = expr->as<AttributeExpr>();
  return attribute ? root_of(attribute->base) : expr->as<NameExpr>();
}

// Texts of sizes: `[bm, bn]`, without those of squeezed dims.
std::string sizes_text(const std::vector<ExprPtr>& sizes) {
  std::vector<std::string> texts;
  for (const ExprPtr& size : sizes) {
    const NameExpr* name = size->as<NameExpr>();
    if (name && name->name == "squeezed") continue;
    const CallExpr* call = size->as<CallExpr>();  // element(n, …) and bounded_slice(n)
    const NameExpr* callee = call ? call->callee->as<NameExpr>() : nullptr;
    const bool entry = callee && (callee->name == "element" || callee->name == "bounded_slice") && !call->args.empty();
    texts.push_back(to_string(entry ? *call->args[0] : *size));
  }
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

// The sizes of a ref as its spec has them.
std::string remedy_for_shape(const TypingContext& in, const AttributeExpr& node) {
  const NameExpr* name = node.base->as<NameExpr>();
  if (!name) return "sizes are known while a spec is read: write the const or the number";
  for (const RefSpec& ref : in.context.spec.refs) {
    if (ref.name != name->name) continue;
    const std::string array = sizes_text(ref.type.dims);
    if (!ref.block) return fmt::format("the shape of '{}' is {}: write the size that is meant", ref.name, array);
    return fmt::format("the shape of the block of '{}' is {}, that of its array {}: write the size that is meant",
                       ref.name, sizes_text(*ref.block), array);
  }
  return "sizes are known while a spec is read: write the const or the number";
}

std::string remedy_for_dtype(const TypingContext& in, const AttributeExpr& node) {
  const NameExpr* name = node.base->as<NameExpr>();
  for (const Ref& ref : in.context.kernel.refs)
    if (name && ref.name == name->name) return fmt::format("a dtype goes by its name: write {}", name_of(ref.dtype));
  return "a dtype goes by its name: f32";
}

}  // namespace

std::string remedy_for_attribute(const TypingContext& in, const AttributeExpr& node, const CallExpr* call) {
  const NameExpr* base = root_of(node.base);
  const bool known = base && ((in.scope && in.scope->find(base->name)) || in.context.find(base->name));
  if (base && !known && kModules.contains(base->name)) return remedy_for_module(in, node, call);
  if (node.name == "shape") return remedy_for_shape(in, node);
  if (node.name == "dtype") return remedy_for_dtype(in, node);
  const std::string word = is_language_name(node.name) ? node.name : operation_called(node.name);
  if (!word.empty() && !dtype_named(word))
    return fmt::format("it is an operation: write {}({})", word, arguments_text(call, {to_string(*node.base)}));
  return "";
}

}  // namespace pallasgen
