#include <fmt/format.h>

#include <algorithm>

#include "expressions/calls.h"

namespace pallasgen {

namespace {

template <class E>
std::optional<E> word_among(const ExprPtr& expr, const std::vector<E>& allowed, std::string_view what,
                            std::string_view key, Diagnostics& diagnostics) {
  const NameExpr* name = expr->as<NameExpr>();
  std::vector<std::string> words;
  for (E one : allowed) {
    if (name && name_of(one) == name->name) return one;
    words.emplace_back(name_of(one));
  }
  Diagnostic& out =
      diagnostics.error(kArguments, expr->span,
                        fmt::format("'{}' of {} is {}, not {}", key, what, fmt::join(words, " or "), to_string(*expr)));
  const std::string near = nearest(name ? name->name : "", words);
  if (!near.empty()) out.note(fmt::format("did you mean '{}'?", near));
  return std::nullopt;
}

constexpr AtomicOp kAtomics[] = {AtomicOp::add,    AtomicOp::max,     AtomicOp::min,      AtomicOp::bit_and,
                                 AtomicOp::bit_or, AtomicOp::bit_xor, AtomicOp::exchange, AtomicOp::compare_exchange};

}  // namespace

std::optional<MemoryOrder> memory_order(const ExprPtr& expr, const std::vector<MemoryOrder>& allowed,
                                        std::string_view what, Diagnostics& diagnostics) {
  return word_among(expr, allowed, what, "order", diagnostics);
}

std::optional<MemoryScope> memory_scope(const ExprPtr& expr, Diagnostics& diagnostics) {
  return word_among<MemoryScope>(expr, {MemoryScope::block, MemoryScope::device, MemoryScope::system}, "an atomic",
                                 "scope", diagnostics);
}

bool has_own_bytes(Diagnostics& diagnostics, const Ref& ref, Span span, const std::string& what) {
  if (!is_packed(ref.dtype)) return true;
  diagnostics.error(kOperandDType, span, fmt::format("{} of elements of '{}', which share bytes", what, ref.name))
      .note("elements of a byte and more can be ordered");
  return false;
}

std::optional<AtomicOp> atomic_named(const std::string& name) {
  for (AtomicOp op : kAtomics) {
    if (name_of(op) == name) return op;
  }
  return std::nullopt;
}

std::vector<ExprPtr> entries_of(const ExprPtr& index) {
  if (const auto* list = index->as<ListExpr>()) return list->items;
  if (const auto* list = index->as<TupleExpr>()) return list->items;
  return {index};
}

namespace {

// Advice on an argument that NumPy, JAX or Triton has for the operation; empty if none is known.
std::string_view argument_called(std::string_view operation, std::string_view argument) {
  struct Row {
    std::string_view operation, argument, instead;
  };
  static constexpr Row kRows[] = {
      {"dot", "allow_tf32", "`precision=tf32` multiplies f32 as tf32; without it products are those of f32"},
      {"dot", "preferred_element_type", "it accumulates in f32, or in `dtype`"},
      {"dot", "out_dtype", "it accumulates in f32, or in `dtype`"},
      {"dot", "input_precision", "`precision` is ieee, tf32 or bf16x3"},
      {"dot", "acc", "a product is added to what is there: acc + dot(a, b)"},
      {"cumsum", "reverse", "from the end, write sum(x, axis=…, keepdims=true) - cumsum(x, axis=…) + x"},
      {"maximum", "axis", "the largest along an axis is max(x, axis=…); maximum takes two values"},
      {"minimum", "axis", "the smallest along an axis is min(x, axis=…); minimum takes two values"},
      {"sum", "where", "what is left out counts as 0: sum(where(mask, x, 0))"},
      {"max", "initial", "write maximum(max(x), initial)"}};
  for (const Row& row : kRows)
    if (row.operation == operation && row.argument == argument) return row.instead;
  return "";
}

}  // namespace

std::optional<Bound> bind_arguments(TypingContext& in, const CallExpr& node, Span span, std::string_view name,
                                    const Parameters& signature) {
  const std::vector<std::string_view>& parameters = signature.names;
  Bound out(parameters.size());
  if (node.args.size() > parameters.size()) {
    in.error(kArguments, span, "{} takes {} argument{}, not {}", name, parameters.size(),
             parameters.size() == 1 ? "" : "s", node.args.size())
        .note(fmt::format("{}({})", name, fmt::join(parameters, ", ")));
    return std::nullopt;
  }
  std::copy(node.args.begin(), node.args.end(), out.begin());
  bool good = true;
  for (const KeywordArgument& keyword : node.keywords) {
    const auto found = std::find(parameters.begin(), parameters.end(), keyword.name);
    if (found == parameters.end()) {
      Diagnostic& diagnostic = in.error(kArguments, keyword.name_span, "{} has no argument '{}'", name, keyword.name);
      const std::string near = nearest(keyword.name, {parameters.begin(), parameters.end()});
      if (const std::string_view instead = argument_called(name, keyword.name); !instead.empty())
        diagnostic.note(std::string(instead));
      diagnostic.note(near.empty() ? fmt::format("{}({})", name, fmt::join(parameters, ", "))
                                   : fmt::format("did you mean '{}'?", near));
      good = false;
      continue;
    }
    ExprPtr& slot = out[found - parameters.begin()];
    if (slot) {
      in.error(kArguments, keyword.name_span, "{} is given '{}' twice", name, keyword.name)
          .note(fmt::format("{}({})", name, fmt::join(parameters, ", ")));
      good = false;
    }
    slot = keyword.value;
  }
  for (size_t i = 0; good && i < signature.required; ++i) {
    if (out[i]) continue;
    in.error(kArguments, span, "{} needs '{}'", name, parameters[i])
        .note(fmt::format("{}({})", name, fmt::join(parameters, ", ")));
    return std::nullopt;
  }
  return good ? std::optional<Bound>(std::move(out)) : std::nullopt;
}

}  // namespace pallasgen
