#include <algorithm>

#include "expression/typed.h"

namespace pallasgen {

namespace {

// Variables of generated loops have no ids; their names distinguish them.
bool same(const Symbol& a, const Symbol& b) {
  return a.kind == b.kind && a.id == b.id && (a.id >= 0 || a.name == b.name);
}

// a + factor * b; none if a coefficient overflows.
std::optional<Affine> add_scaled(Affine a, const Affine& b, int64_t factor) {
  int64_t product = 0;
  if (__builtin_mul_overflow(b.constant, factor, &product)) return std::nullopt;
  if (__builtin_add_overflow(a.constant, product, &a.constant)) return std::nullopt;
  for (const Affine::Term& term : b.terms) {
    if (__builtin_mul_overflow(term.coefficient, factor, &product)) return std::nullopt;
    const auto found = std::find_if(a.terms.begin(), a.terms.end(),
                                    [&](const auto& other) { return same(other.symbol, term.symbol); });
    if (found == a.terms.end()) {
      a.terms.push_back({term.symbol, product});
    } else if (__builtin_add_overflow(found->coefficient, product, &found->coefficient)) {
      return std::nullopt;
    }
  }
  std::erase_if(a.terms, [](const Affine::Term& term) { return term.coefficient == 0; });
  return a;
}

}  // namespace

std::optional<Affine> affine(const TypedPtr& expr) {
  if (!expr || expr->dtype != DType::index) return std::nullopt;
  if (const std::optional<int64_t> value = constant_value(expr)) return Affine{{}, *value};
  if (const Symbol* symbol = expr->as<Symbol>()) return Affine{{{*symbol, 1}}, 0};
  const Apply* node = expr->as<Apply>();
  if (!node) return std::nullopt;
  switch (node->op) {
    case Op::negate: {
      const std::optional<Affine> a = affine(node->args[0]);
      return a ? add_scaled({}, *a, -1) : std::nullopt;
    }
    case Op::add:
    case Op::subtract: {
      const std::optional<Affine> a = affine(node->args[0]), b = affine(node->args[1]);
      return a && b ? add_scaled(*a, *b, node->op == Op::add ? 1 : -1) : std::nullopt;
    }
    case Op::multiply: {
      const std::optional<Affine> a = affine(node->args[0]), b = affine(node->args[1]);
      if (!a || !b) return std::nullopt;
      if (a->terms.empty()) return add_scaled({}, *b, a->constant);
      return b->terms.empty() ? add_scaled({}, *a, b->constant) : std::nullopt;
    }
    case Op::shift_left: {
      const std::optional<Affine> a = affine(node->args[0]);
      const std::optional<int64_t> amount = constant_value(node->args[1]);
      return a && amount && *amount >= 0 && *amount < 62 ? add_scaled({}, *a, int64_t{1} << *amount) : std::nullopt;
    }
    case Op::floor_divide: {  // exact if the divisor divides every term
      const std::optional<Affine> a = affine(node->args[0]);
      const std::optional<int64_t> divisor = constant_value(node->args[1]);
      if (!a || !divisor || *divisor <= 0 || a->constant % *divisor != 0) return std::nullopt;
      Affine out{a->terms, a->constant / *divisor};
      for (Affine::Term& term : out.terms) {
        if (term.coefficient % *divisor != 0) return std::nullopt;
        term.coefficient /= *divisor;
      }
      return out;
    }
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> evaluate_index(const TypedPtr& expr,
                                      const std::function<std::optional<int64_t>(const Symbol&)>& value) {
  if (!expr) return std::nullopt;
  const auto number = [](const Scalar& scalar) -> std::optional<int64_t> {
    if (const bool* truth = std::get_if<bool>(&scalar)) return *truth;
    if (const int64_t* integer = std::get_if<int64_t>(&scalar)) return *integer;
    return std::nullopt;
  };
  if (const Constant* constant = expr->as<Constant>()) return number(constant->value);
  if (const Symbol* symbol = expr->as<Symbol>()) return value(*symbol);
  const Apply* node = expr->as<Apply>();
  if (!node || !expr->shape.empty()) return std::nullopt;
  if (node->op == Op::where) {
    const std::optional<int64_t> condition = evaluate_index(node->args[0], value);
    return condition ? evaluate_index(node->args[*condition ? 1 : 2], value) : std::nullopt;
  }
  const bool conjunction = node->op == Op::logical_and;
  if (conjunction || node->op == Op::logical_or) {  // short-circuits, so that `n > 0 and M % n == 0` has a value
    const std::optional<int64_t> left = evaluate_index(node->args[0], value);
    if (!left) return std::nullopt;
    return (*left != 0) == conjunction ? evaluate_index(node->args[1], value) : left;
  }
  std::vector<Scalar> args;
  for (const TypedPtr& arg : node->args) {
    const std::optional<int64_t> operand = evaluate_index(arg, value);
    if (!operand || (arg->dtype != DType::index && arg->dtype != DType::boolean)) return std::nullopt;
    args.push_back(arg->dtype == DType::boolean ? Scalar(*operand != 0) : Scalar(*operand));
  }
  if (args.empty()) return std::nullopt;
  const std::optional<Scalar> result = fold(node->op, node->args[0]->dtype, args);
  return result ? number(*result) : std::nullopt;
}

}  // namespace pallasgen
