#include "expression/threshold.h"

#include <algorithm>

namespace pallasgen {

namespace {

bool mentions(const TypedPtr& expr, const Symbol& symbol) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const Symbol* other = node.as<Symbol>();
    if (!other || other->kind != symbol.kind || other->id != symbol.id) return;
    found = found || symbol.id >= 0 || other->name == symbol.name;
  });
  return found;
}

// factor * atom; the atom is no sum and has no symbol of the loop. `factor_text` is |factor| as the spec names it.
struct Term {
  TypedPtr atom;
  int64_t factor = 1;
  TypedPtr factor_text;
};

// slope * symbol + the terms + constant.
struct Linear {
  Term slope = {nullptr, 0, nullptr};
  std::vector<Term> terms;
  int64_t constant = 0;
};

bool scale(Term& term, int64_t factor, const TypedPtr& text) {
  if (term.factor == 1 || term.factor == -1)
    term.factor_text = text;
  else if (factor != 1 && factor != -1)
    term.factor_text = nullptr;
  return !__builtin_mul_overflow(term.factor, factor, &term.factor);
}

bool add(Term& to, const Term& from) {
  if (to.factor == 0)
    to.factor_text = from.factor_text;
  else if (from.factor != 0)
    to.factor_text = nullptr;
  return !__builtin_add_overflow(to.factor, from.factor, &to.factor);
}

std::optional<Linear> scaled(Linear a, int64_t factor, const TypedPtr& text) {
  bool fits = scale(a.slope, factor, text) && !__builtin_mul_overflow(a.constant, factor, &a.constant);
  for (Term& term : a.terms) fits = fits && scale(term, factor, text);
  return fits ? std::optional(std::move(a)) : std::nullopt;
}

std::optional<Linear> sum(Linear a, const Linear& b) {
  bool fits = add(a.slope, b.slope) && !__builtin_add_overflow(a.constant, b.constant, &a.constant);
  for (const Term& term : b.terms) {
    const auto found =
        std::find_if(a.terms.begin(), a.terms.end(), [&](const Term& other) { return equal(other.atom, term.atom); });
    if (found == a.terms.end())
      a.terms.push_back(term);
    else
      fits = fits && add(*found, term);
  }
  std::erase_if(a.terms, [](const Term& term) { return term.factor == 0; });
  return fits ? std::optional(std::move(a)) : std::nullopt;
}

std::optional<Linear> linear(const TypedPtr& expr, const Symbol& symbol) {
  if (expr->dtype != DType::index || !expr->shape.empty()) return std::nullopt;
  Linear out;
  if (const std::optional<int64_t> value = constant_value(expr)) {
    out.constant = *value;
    return out;
  }
  const Apply* node = expr->as<Apply>();
  const auto operand = [&](size_t i) { return linear(node->args[i], symbol); };
  if (node && (node->op == Op::add || node->op == Op::subtract)) {
    const std::optional<Linear> a = operand(0), b = operand(1);
    if (!a || !b) return std::nullopt;
    const std::optional<Linear> signed_b = node->op == Op::add ? b : scaled(*b, -1, nullptr);
    return signed_b ? sum(*a, *signed_b) : std::nullopt;
  }
  if (node && node->op == Op::negate) {
    const std::optional<Linear> a = operand(0);
    return a ? scaled(*a, -1, nullptr) : std::nullopt;
  }
  if (node && node->op == Op::multiply) {
    for (size_t i : {1, 0}) {
      const std::optional<int64_t> factor = constant_value(node->args[i]);
      if (!factor) continue;
      const std::optional<Linear> other = operand(1 - i);
      return other ? scaled(*other, *factor, *factor > 0 ? node->args[i] : nullptr) : std::nullopt;
    }
  }
  if (const Symbol* own = expr->as<Symbol>(); own && mentions(expr, symbol)) {
    out.slope.factor = 1;
    return out;
  }
  if (mentions(expr, symbol)) return std::nullopt;
  out.terms.push_back({expr, 1, nullptr});
  return out;
}

TypedPtr factor_of(const Term& term) {
  const int64_t size = term.factor < 0 ? -term.factor : term.factor;
  return term.factor_text && constant_value(term.factor_text) == size ? term.factor_text : index_constant(size);
}

// The terms and a constant as one expression, added terms first.
TypedPtr written(const std::vector<Term>& terms, int64_t constant) {
  TypedPtr out;
  const auto put = [&](bool negative, const TypedPtr& value) {
    if (!out && !negative)
      out = value;
    else
      out = index_apply(negative ? Op::subtract : Op::add, out ? out : index_constant(0), value);
  };
  const bool all_negative = std::all_of(terms.begin(), terms.end(), [](const Term& term) { return term.factor < 0; });
  if (all_negative) out = index_constant(constant);
  for (bool negative : {false, true}) {
    for (const Term& term : terms) {
      if ((term.factor < 0) != negative) continue;
      const bool one = term.factor == 1 || term.factor == -1;
      put(negative, one ? term.atom : index_apply(Op::multiply, term.atom, factor_of(term)));
    }
  }
  if (!all_negative && constant != 0) put(constant < 0, index_constant(constant < 0 ? -constant : constant));
  return out;
}

// A threshold, or a condition without the symbol.
struct Change {
  enum { none, rises, falls } direction = none;
  TypedPtr at, condition;
};

// slope * symbol + rest >= 0.
std::optional<Change> solved(const Linear& form) {
  const bool rises = form.slope.factor > 0;
  const int64_t size = rises ? form.slope.factor : -form.slope.factor;
  // It rises at cdiv(-rest, size), which is (-rest + size - 1) // size; it falls after rest // size.
  std::optional<Linear> rest = Linear{{nullptr, 0, nullptr}, form.terms, form.constant};
  if (rises) rest = scaled(*rest, -1, nullptr);
  int64_t floor = 0, ceiling = 0;
  if (!rest || __builtin_add_overflow(rest->constant, rises ? size - 1 : size, &floor)) return std::nullopt;
  if (__builtin_sub_overflow(floor, size - 1, &ceiling) || floor == INT64_MIN || ceiling == INT64_MIN)
    return std::nullopt;
  Change out{rises ? Change::rises : Change::falls, nullptr, nullptr};
  // Multiples of the divisor are added after the division: cdiv or //, whichever leaves no constant inside it.
  const bool up = ceiling % size == 0 && floor % size != 0;
  const int64_t whole = up ? ceiling : floor;
  const int64_t rest_of = ((whole % size) + size) % size;
  const TypedPtr quotient =
      index_apply(up ? Op::cdiv : Op::floor_divide, written(rest->terms, rest_of), factor_of(form.slope));
  const int64_t steps = (whole - rest_of) / size;
  out.at = index_apply(steps < 0 ? Op::subtract : Op::add, quotient, index_constant(steps < 0 ? -steps : steps));
  return out;
}

std::optional<Change> comparison(const Apply& node, const Symbol& symbol) {
  const bool less = node.op == Op::less || node.op == Op::less_equal;
  const bool greater = node.op == Op::greater || node.op == Op::greater_equal;
  if (!less && !greater) return std::nullopt;
  const std::optional<Linear> a = linear(node.args[0], symbol), b = linear(node.args[1], symbol);
  if (!a || !b) return std::nullopt;
  const std::optional<Linear> minus = scaled(less ? *a : *b, -1, nullptr);
  std::optional<Linear> difference = minus ? sum(less ? *b : *a, *minus) : std::nullopt;
  if (!difference || difference->slope.factor == 0 || difference->slope.factor == INT64_MIN) return std::nullopt;
  const bool strict = node.op == Op::less || node.op == Op::greater;
  if (strict && __builtin_sub_overflow(difference->constant, 1, &difference->constant)) return std::nullopt;
  return solved(*difference);
}

class Solver {
 public:
  Solver(const Symbol& symbol, const TypedPtr& low, const TypedPtr& high) : symbol_(symbol), low_(low), high_(high) {}

  std::optional<Change> change(const TypedPtr& condition) const {
    if (condition->dtype != DType::boolean || !condition->shape.empty()) return std::nullopt;
    if (!mentions(condition, symbol_)) return Change{Change::none, nullptr, condition};
    const Apply* node = condition->as<Apply>();
    if (!node) return std::nullopt;
    if (node->op == Op::logical_not) {
      std::optional<Change> out = change(node->args[0]);
      if (!out) return std::nullopt;
      if (out->direction == Change::none) return Change{Change::none, nullptr, condition};
      out->direction = out->direction == Change::rises ? Change::falls : Change::rises;
      return out;
    }
    if (node->op != Op::logical_and && node->op != Op::logical_or) return comparison(*node, symbol_);
    const std::optional<Change> a = change(node->args[0]), b = change(node->args[1]);
    return a && b ? joined(node->op == Op::logical_and, *a, *b) : std::nullopt;
  }

 private:
  std::optional<Change> joined(bool both, const Change& a, const Change& b) const {
    const auto direction = a.direction == Change::none ? b.direction : a.direction;
    if (b.direction != Change::none && b.direction != direction) return std::nullopt;
    const bool rises = direction == Change::rises;
    const auto place = [&](const Change& change) {
      if (change.direction != Change::none) return change.at;
      return pallasgen::apply({}, Op::where, DType::index, {},
                              {change.condition, rises ? low_ : high_, rises ? high_ : low_});
    };
    return Change{direction, index_apply(both == rises ? Op::maximum : Op::minimum, place(a), place(b)), nullptr};
  }

  const Symbol& symbol_;
  const TypedPtr &low_, &high_;
};

}  // namespace

std::optional<Threshold> threshold(const TypedPtr& condition, const Symbol& symbol, const TypedPtr& low,
                                   const TypedPtr& high) {
  const std::optional<Change> change = Solver(symbol, low, high).change(condition);
  if (!change || change->direction == Change::none) return std::nullopt;
  return Threshold{change->direction == Change::rises,
                   index_apply(Op::minimum, index_apply(Op::maximum, change->at, low), high)};
}

}  // namespace pallasgen
