#pragma once

#include <algorithm>
#include <set>
#include <utility>

#include "check/kernel.h"

namespace pallasgen::schedule {

// Conditions of index values. `either` and `both` leave out a first operand that is null.
inline TypedPtr condition(Op op, TypedPtr a, TypedPtr b) {
  return pallasgen::apply({}, op, DType::boolean, {}, {std::move(a), std::move(b)});
}
inline TypedPtr either(TypedPtr a, TypedPtr b) { return a ? condition(Op::logical_or, std::move(a), std::move(b)) : b; }
inline TypedPtr both(TypedPtr a, TypedPtr b) { return a ? condition(Op::logical_and, std::move(a), std::move(b)) : b; }

// The condition that holds where `of` does not.
inline TypedPtr negation(const TypedPtr& of) {
  static constexpr std::pair<Op, Op> kOpposites[] = {
      {Op::equal, Op::not_equal}, {Op::less, Op::greater_equal}, {Op::greater, Op::less_equal}};
  const Apply* apply = of->as<Apply>();
  if (apply && apply->op == Op::logical_or) return both(negation(apply->args[0]), negation(apply->args[1]));
  if (apply && apply->op == Op::logical_and) return either(negation(apply->args[0]), negation(apply->args[1]));
  for (const auto& [one, other] : kOpposites) {
    // Index numbers are ordered, unlike floats, which may be NaN.
    if (!apply || apply->args.size() != 2 || apply->args[0]->dtype != DType::index) break;
    if (apply->op == one) return condition(other, apply->args[0], apply->args[1]);
    if (apply->op == other) return condition(one, apply->args[0], apply->args[1]);
  }
  return pallasgen::apply({}, Op::logical_not, DType::boolean, {}, {of});
}

// True if two sets of values, refs or axes have a common element.
inline bool meet(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int id) { return b.count(id) > 0; });
}

}  // namespace pallasgen::schedule
