#include <algorithm>
#include <numeric>

#include "expression/typed.h"

namespace pallasgen {

namespace {

std::optional<int64_t> folded(Op op, std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b) return std::nullopt;
  const std::optional<Scalar> value = fold(op, DType::index, {*a, *b});
  return value ? std::optional<int64_t>(std::get<int64_t>(*value)) : std::nullopt;
}

std::optional<int64_t> negated(std::optional<int64_t> a) { return folded(Op::subtract, 0, a); }

Bounds add(const Bounds& a, const Bounds& b) {
  return {folded(Op::add, a.minimum, b.minimum), folded(Op::add, a.maximum, b.maximum)};
}
Bounds negate(const Bounds& a) { return {negated(a.maximum), negated(a.minimum)}; }

Bounds multiply(Bounds a, Bounds b) {
  if (a.minimum && a.minimum == a.maximum) std::swap(a, b);
  if (b.minimum && b.minimum == b.maximum) {  // a constant scales an open range
    const int64_t c = *b.minimum;
    if (c == 0) return {0, 0};
    const std::optional<int64_t> low = folded(Op::multiply, a.minimum, c), high = folded(Op::multiply, a.maximum, c);
    return c > 0 ? Bounds{low, high} : Bounds{high, low};
  }
  if (a.minimum && b.minimum && *a.minimum >= 0 && *b.minimum >= 0) {
    return {folded(Op::multiply, a.minimum, b.minimum), folded(Op::multiply, a.maximum, b.maximum)};
  }
  if (!a.minimum || !a.maximum || !b.minimum || !b.maximum) return {};
  Bounds out;
  for (int64_t x : {*a.minimum, *a.maximum}) {
    for (int64_t y : {*b.minimum, *b.maximum}) {
      const std::optional<int64_t> product = folded(Op::multiply, x, y);
      if (!product) return {};
      out.minimum = std::min(out.minimum.value_or(*product), *product);
      out.maximum = std::max(out.maximum.value_or(*product), *product);
    }
  }
  return out;
}

// Dividing index values by 0 is an error without a result, so a divisor that is at least 0 is at least 1.
Bounds divisor(Bounds b, DType dtype) {
  if (dtype == DType::index && b.minimum == 0 && b.maximum != 0) b.minimum = 1;
  return b;
}

// The bounds of a // b or cdiv(a, b), which both grow with a; unknown unless the divisor is positive.
Bounds divide(Op op, const Bounds& a, const Bounds& b) {
  if (!b.minimum || *b.minimum <= 0) return {};
  Bounds out;
  // A larger divisor moves the quotient closer to zero.
  if (a.minimum) {
    out.minimum = *a.minimum < 0 ? folded(op, a.minimum, b.minimum) : b.maximum ? folded(op, a.minimum, b.maximum) : 0;
  }
  if (a.maximum) {
    const std::optional<int64_t> towards_zero = op == Op::cdiv ? 0 : -1;
    out.maximum = *a.maximum > 0 ? folded(op, a.maximum, b.minimum)
                  : b.maximum    ? folded(op, a.maximum, b.maximum)
                                 : (*a.maximum == 0 ? std::optional<int64_t>(0) : towards_zero);
  }
  return out;
}

std::optional<int64_t> pick(bool smaller, std::optional<int64_t> a, std::optional<int64_t> b, bool either) {
  if (a && b) return smaller ? std::min(*a, *b) : std::max(*a, *b);
  return either ? (a ? a : b) : std::nullopt;
}

Bounds truth(bool can_be_false, bool can_be_true) { return {can_be_false ? 0 : 1, can_be_true ? 1 : 0}; }

Bounds compare(Op op, const Bounds& a, const Bounds& b) {
  switch (op) {
    case Op::greater:
      return compare(Op::less, b, a);
    case Op::greater_equal:
      return compare(Op::less_equal, b, a);
    case Op::not_equal: {
      const Bounds same = compare(Op::equal, a, b);
      return truth(same.maximum == 1, same.minimum == 0);
    }
    case Op::less:
    case Op::less_equal: {
      const bool strict = op == Op::less;
      const bool always = a.maximum && b.minimum && (strict ? *a.maximum < *b.minimum : *a.maximum <= *b.minimum);
      const bool never = a.minimum && b.maximum && (strict ? *a.minimum >= *b.maximum : *a.minimum > *b.maximum);
      return truth(!always, !never);
    }
    default: {
      const bool never =
          (a.maximum && b.minimum && *a.maximum < *b.minimum) || (a.minimum && b.maximum && *a.minimum > *b.maximum);
      const bool always = a.minimum && a.minimum == a.maximum && b.minimum && b.minimum == b.maximum && !never;
      return truth(!always, !never);
    }
  }
}

Bounds apply_bounds(const Apply& node, const SymbolFacts& facts) {
  std::vector<Bounds> args;
  for (const TypedPtr& arg : node.args) args.push_back(bounds(arg, facts));
  switch (node.op) {
    case Op::negate:
      return negate(args[0]);
    case Op::add:
      return add(args[0], args[1]);
    case Op::subtract:
      return add(args[0], negate(args[1]));
    case Op::multiply:
      return multiply(args[0], args[1]);
    case Op::floor_divide:
    case Op::cdiv:
      return divide(node.op, args[0], divisor(args[1], node.args[1]->dtype));
    case Op::modulo: {
      const Bounds by = divisor(args[1], node.args[1]->dtype);
      if (!by.minimum || *by.minimum <= 0) return {};
      const std::optional<int64_t> below = folded(Op::subtract, by.maximum, 1);
      const bool small = args[0].minimum && *args[0].minimum >= 0 && args[0].maximum;
      if (small && *args[0].maximum < *by.minimum) return args[0];
      return {0, small ? pick(true, below, args[0].maximum, true) : below};
    }
    case Op::minimum:
      return {pick(true, args[0].minimum, args[1].minimum, false), pick(true, args[0].maximum, args[1].maximum, true)};
    case Op::maximum:
      return {pick(false, args[0].minimum, args[1].minimum, true),
              pick(false, args[0].maximum, args[1].maximum, false)};
    case Op::abs: {
      if (args[0].minimum && *args[0].minimum >= 0) return args[0];
      return {0, pick(false, args[0].maximum, negated(args[0].minimum), false)};
    }
    case Op::sign:
      return {-1, 1};
    case Op::where: {
      if (args[0].minimum == 1) return args[1];
      if (args[0].maximum == 0) return args[2];
      return {pick(true, args[1].minimum, args[2].minimum, false),
              pick(false, args[1].maximum, args[2].maximum, false)};
    }
    case Op::logical_not:
      return truth(args[0].maximum == 1, args[0].minimum == 0);
    case Op::logical_and:
      return truth(args[0].minimum == 0 || args[1].minimum == 0, args[0].maximum == 1 && args[1].maximum == 1);
    case Op::logical_or:
      return truth(args[0].minimum == 0 && args[1].minimum == 0, args[0].maximum == 1 || args[1].maximum == 1);
    default:
      break;
  }
  if (node.op >= Op::less && node.op <= Op::not_equal && node.args[0]->dtype == DType::index) {
    return compare(node.op, args[0], args[1]);
  }
  return {};
}

int64_t magnitude(int64_t value) { return value == INT64_MIN ? 1 : value < 0 ? -value : value; }

}  // namespace

Bounds bounds(const TypedPtr& expr, const SymbolFacts& facts) {
  const bool is_bool = expr->dtype == DType::boolean;
  Bounds out;
  if (const Constant* constant = expr->as<Constant>()) {
    if (const int64_t* value = std::get_if<int64_t>(&constant->value)) out = {*value, *value};
    if (const bool* value = std::get_if<bool>(&constant->value)) out = {*value, *value};
  } else if (const Symbol* symbol = expr->as<Symbol>()) {
    out = {facts.minimum(*symbol), facts.maximum(*symbol)};
  } else if (const LocalUse* use = expr->as<LocalUse>(); use && facts.value && expr->dtype == DType::index) {
    out = facts.value(*use);
  } else if (const Apply* node = expr->as<Apply>(); node && (is_bool || expr->dtype == DType::index)) {
    out = apply_bounds(*node, facts);
  }
  if (is_bool) return {std::max<int64_t>(out.minimum.value_or(0), 0), std::min<int64_t>(out.maximum.value_or(1), 1)};
  return out;
}

int64_t multiple_of(const TypedPtr& expr, const SymbolFacts& facts) {
  if (const std::optional<int64_t> value = constant_value(expr)) return magnitude(*value);
  if (const Symbol* symbol = expr->as<Symbol>()) return facts.multiple_of(*symbol);
  const Apply* node = expr->as<Apply>();
  if (!node || expr->dtype != DType::index) return 1;
  const auto of = [&](size_t i) { return multiple_of(node->args[i], facts); };
  switch (node->op) {
    case Op::negate:
    case Op::abs:
      return of(0);
    case Op::add:
    case Op::subtract:
    case Op::minimum:
    case Op::maximum:
      return std::gcd(of(0), of(1));
    case Op::where:
      return std::gcd(of(1), of(2));
    case Op::multiply: {
      int64_t product = 0;
      const int64_t a = of(0), b = of(1);
      return __builtin_mul_overflow(a, b, &product) ? std::max(a, b) : product;
    }
    case Op::modulo:
      return std::gcd(of(0), of(1));
    case Op::floor_divide:
    case Op::cdiv: {
      // Exact if the divisor is a constant that divides every value.
      const std::optional<int64_t> divisor = constant_value(node->args[1]);
      const int64_t dividend = of(0);
      if (!divisor || *divisor == 0) return 1;
      if (dividend == 0) return 0;
      return dividend % magnitude(*divisor) == 0 ? dividend / magnitude(*divisor) : 1;
    }
    case Op::shift_left: {
      const std::optional<int64_t> amount = constant_value(node->args[1]);
      int64_t product = 0;
      if (!amount || *amount < 0 || *amount > 61) return of(0);
      return __builtin_mul_overflow(of(0), int64_t{1} << *amount, &product) ? of(0) : product;
    }
    default:
      return 1;
  }
}

}  // namespace pallasgen
