#include "expressions/habits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "names/language.h"

namespace pallasgen {

namespace {

// Modules under the names by which Python imports them.
const std::set<std::string> kModules = {"np",    "jnp",   "numpy", "jax", "lax", "nn",    "torch",  "tl",       "pl",
                                        "plgpu", "pltpu", "math",  "F",   "jsp", "scipy", "triton", "libdevice"};

// The language's spelling of an argument: of `True`, of `axis=(0, 1)`, and of dtypes.
std::string argument_text(const ExprPtr& arg) {
  const AttributeExpr* attribute = arg->as<AttributeExpr>();  // jnp.float32
  const NameExpr* name = arg->as<NameExpr>();
  const std::string text = attribute ? attribute->name : name ? name->name : "";
  const std::string dtype = attribute || name ? dtype_called(text) : "", word = name ? operation_called(text) : "";
  return !dtype.empty() ? dtype : !word.empty() ? word : to_string(*arg);
}

// A call of `word` with `words` and then the call's arguments. Arguments beyond the parameters of `word` become the
// entries of a list: `x.reshape(4, 8)`.
std::string call_text(const std::string& word, const CallExpr* call, std::vector<std::string> words) {
  if (!call) return fmt::format("{}({})", word, fmt::join(words, ", "));
  for (const ExprPtr& arg : call->args) words.push_back(argument_text(arg));
  const bool takes_list = word == "reshape" || word == "transpose" || word == "broadcast_to";
  const size_t most = takes_list ? parameters_of(word).names.size() : words.size();
  if (words.size() > most && most > 0) {
    const auto rest = words.begin() + static_cast<std::ptrdiff_t>(most - 1);
    const std::string list = fmt::format("[{}]", fmt::join(rest, words.end(), ", "));
    words.erase(rest, words.end());
    words.push_back(list);
  }
  for (const KeywordArgument& keyword : call->keywords)
    words.push_back(fmt::format("{}={}", keyword.name, argument_text(keyword.value)));
  return fmt::format("{}({})", word, fmt::join(words, ", "));
}

// Advice on `arange(8)` and `arange(2, 8)`.
std::string remedy_for_range(const CallExpr* call) {
  if (!call || call->args.empty() || call->args.size() > 2 || !call->keywords.empty())
    return "integers from 0 are iota(i32, [n], 0)";
  const std::string first = to_string(*call->args.front()), last = to_string(*call->args.back());
  const bool from_0 = call->args.size() == 1 || first == "0";
  return from_0 ? fmt::format("write iota(i32, [{}], 0)", last)
                : fmt::format("write ({0} + iota(i32, [{1} - {0}], 0))", first, last);
}

// Advice on `pl.store(z, x)` and `z.store(x)`, with their operands.
std::string remedy_for_store(const std::vector<std::string>& operands) {
  return operands.size() == 2
             ? fmt::format("a ref is written by an assignment: write {}[...] = {}", operands[0], operands[1])
             : "a ref is written by an assignment: y[...] = …";
}

// The axis of `pl.program_id(1)`; null if the grid has no axis of that number.
const Axis* axis_of(const TypingContext& in, const CallExpr* call) {
  const IntegerLiteral* number = call && call->args.size() == 1 ? call->args[0]->as<IntegerLiteral>() : nullptr;
  // The kernel lists parallel axes first; the numbers follow the spec.
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
    return given == 2 ? remedy_for_store({to_string(*call->args[0]), to_string(*call->args[1])}) : remedy_for_store({});
  }
  if (node.name == "arange") return remedy_for_range(call);
  if (node.name == "when") return "a condition is an entry of the body: `- when: k == 0`, its statements under `do:`";
  if (node.name == "fori_loop") return "a loop is an entry of the body: `- for: k`, with `range: 4` and `do:`";
  const std::string dtype = dtype_named(node.name) ? node.name : dtype_called(node.name);
  if (!dtype.empty()) return fmt::format("dtypes have no module: write {}", dtype);
  const std::string word = is_language_name(node.name) ? node.name : operation_called(node.name);
  if (word.empty()) {
    const std::string instead = remedy_for_foreign(node.name);
    return instead.empty() ? "the language has no modules; `pallasgen list --ops` prints its operations" : instead;
  }
  return call ? "operations have no module: write " + call_text(word, call, {})
              : fmt::format("the language has no modules: write {}", word);
}

// The first name in a chain of attributes, `jax` in `jax.nn.relu`; null for other expressions.
const NameExpr* root_of(const ExprPtr& expr) {
  const AttributeExpr* attribute = expr->as<AttributeExpr>();
  return attribute ? root_of(attribute->base) : expr->as<NameExpr>();
}

// The list of sizes as text, `[bm, bn]`, without squeezed dims.
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

// Advice on `x.shape`: the sizes of a ref as in the spec.
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

// Advice on `x.at[0].set(1)`, as in JAX; empty for other expressions.
std::string remedy_for_update(const TypingContext& in, const AttributeExpr& node, const CallExpr* call) {
  static const std::map<std::string, std::string> kUpdates = {{"set", "="}, {"add", "+="}, {"multiply", "*="}};
  const SubscriptExpr* item = node.base->as<SubscriptExpr>();
  const AttributeExpr* at = item ? item->base->as<AttributeExpr>() : nullptr;
  const auto update = kUpdates.find(node.name);
  if (!at || at->name != "at" || update == kUpdates.end() || !call || call->args.size() != 1) return "";
  const NameExpr* name = at->base->as<NameExpr>();
  const Ref* ref = name ? in.context.kernel.find_ref(name->name) : nullptr;
  if (!ref || ref->role == RefRole::input) return "a value does not change: where(condition, a, b) makes another one";
  std::vector<std::string> items;
  for (const ExprPtr& index : item->items) items.push_back(to_string(*index));
  return fmt::format("write {}[{}] {} {}", name->name, fmt::join(items, ", "), update->second,
                     argument_text(call->args[0]));
}

}  // namespace

std::string remedy_for_attribute(const TypingContext& in, const AttributeExpr& node, const CallExpr* call) {
  const NameExpr* base = root_of(node.base);
  const bool known = base && ((in.scope && in.scope->find(base->name)) || in.context.find(base->name));
  if (base && !known && kModules.contains(base->name)) return remedy_for_module(in, node, call);
  if (node.name == "shape") return remedy_for_shape(in, node);
  if (node.name == "dtype") return remedy_for_dtype(in, node);
  if (node.name == "to" && call && call->args.size() == 1)
    return fmt::format("write {}.astype({})", to_string(*node.base), argument_text(call->args[0]));
  if (const std::string update = remedy_for_update(in, node, call); !update.empty()) return update;
  if (node.name == "store" && call && call->args.size() == 1 && call->keywords.empty())
    return remedy_for_store({to_string(*node.base), to_string(*call->args[0])});
  if (base && !known && (base->name == "threadIdx" || base->name == "blockIdx" || base->name == "blockDim"))
    return "a body is written for whole blocks, and no thread has a number: an axis of the grid is the program's place "
           "along it";
  const std::string word = is_language_name(node.name) ? node.name : operation_called(node.name);
  if (!word.empty() && !dtype_named(word))
    return "it is an operation: write " + call_text(word, call, {to_string(*node.base)});
  const std::string instead = remedy_for_foreign(node.name);
  return instead.empty() ? "behind a dot stand T, astype(…) and at[…]; operations are called, as in exp(x)" : instead;
}

}  // namespace pallasgen
