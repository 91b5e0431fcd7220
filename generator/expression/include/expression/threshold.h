#pragma once

#include <optional>

#include "expression/typed.h"

namespace pallasgen {

// Where a condition changes along one symbol: it is false below `at` and true from there on, or, where it does not
// rise, true below `at` and false from there on.
struct Threshold {
  bool rises = true;
  TypedPtr at;
};

// The threshold of a condition for low <= symbol < high, within low and high; both may be run-time values, `high` not
// below `low`. The condition is made of comparisons that are affine in the symbol, with a constant factor, and of
// conditions without it, joined by `and`, `or` and `not`; all that mention the symbol change in one direction. None for
// any other condition, and for one without the symbol.
std::optional<Threshold> threshold(const TypedPtr& condition, const Symbol& symbol, const TypedPtr& low,
                                   const TypedPtr& high);

}  // namespace pallasgen
