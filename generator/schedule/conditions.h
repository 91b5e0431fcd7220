#pragma once

#include <algorithm>
#include <set>

#include "check/kernel.h"

namespace pallasgen::schedule {

// A condition of index values; null stands for one that nothing asks.
inline TypedPtr condition(Op op, TypedPtr a, TypedPtr b) {
  return pallasgen::apply({}, op, DType::boolean, {}, {std::move(a), std::move(b)});
}
inline TypedPtr either(TypedPtr a, TypedPtr b) { return a ? condition(Op::logical_or, std::move(a), std::move(b)) : b; }
inline TypedPtr both(TypedPtr a, TypedPtr b) { return a ? condition(Op::logical_and, std::move(a), std::move(b)) : b; }

// Whether two sets of values, refs or axes have one in common.
inline bool meet(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int id) { return b.count(id) > 0; });
}

}  // namespace pallasgen::schedule
