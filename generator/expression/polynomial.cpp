#include "expression/polynomial.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace pallasgen {

namespace {

// Coefficients by the sorted factors of their products; none is 0.
using Polynomial = std::map<std::vector<std::string>, int64_t>;

// Adds a product; false if a coefficient overflows.
bool add_term(Polynomial& sum, const std::vector<std::string>& factors, int64_t coefficient) {
  int64_t& total = sum[factors];
  if (__builtin_add_overflow(total, coefficient, &total)) return false;
  if (total == 0) sum.erase(factors);
  return true;
}

std::optional<Polynomial> add_scaled(Polynomial a, const Polynomial& b, int64_t sign) {
  for (const auto& [factors, coefficient] : b)
    if (!add_term(a, factors, sign * coefficient)) return std::nullopt;
  return a;
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) {
  Polynomial out;
  for (const auto& [left, left_coefficient] : a) {
    for (const auto& [right, right_coefficient] : b) {
      std::vector<std::string> factors = left;
      factors.insert(factors.end(), right.begin(), right.end());
      std::sort(factors.begin(), factors.end());
      int64_t product = 0;
      if (__builtin_mul_overflow(left_coefficient, right_coefficient, &product)) return std::nullopt;
      if (!add_term(out, factors, product)) return std::nullopt;
    }
  }
  return out;
}

Polynomial polynomial_of(const TypedPtr& expr) {
  if (const std::optional<int64_t> value = constant_value(expr)) {
    Polynomial constant;
    add_term(constant, {}, *value);
    return constant;
  }
  if (const Symbol* symbol = expr->as<Symbol>())
    return {{{fmt::format("{}:{}:{}", static_cast<int>(symbol->kind), symbol->id, symbol->name)}, 1}};
  const Apply* node = expr->as<Apply>();
  if (!node) return {{{to_string(expr, TypedText::exact)}, 1}};
  std::optional<Polynomial> out;
  if (node->op == Op::add || node->op == Op::subtract)
    out = add_scaled(polynomial_of(node->args[0]), polynomial_of(node->args[1]), node->op == Op::add ? 1 : -1);
  if (node->op == Op::negate) out = add_scaled({}, polynomial_of(node->args[0]), -1);
  if (node->op == Op::multiply) out = multiply(polynomial_of(node->args[0]), polynomial_of(node->args[1]));
  if (out) return *out;
  std::vector<std::string> args;
  for (const TypedPtr& arg : node->args) args.push_back(multiplied_out(arg));
  return {{{fmt::format("{}[{}]({})", operation(node->op).name, node->attributes.scalar, fmt::join(args, ", "))}, 1}};
}

}  // namespace

std::string multiplied_out(const TypedPtr& expr) {
  std::string text;
  for (const auto& [factors, coefficient] : polynomial_of(expr))
    text += fmt::format("{}{}{}{}", text.empty() ? "" : " + ", coefficient, factors.empty() ? "" : " * ",
                        fmt::join(factors, " * "));
  return text.empty() ? "0" : text;
}

}  // namespace pallasgen
