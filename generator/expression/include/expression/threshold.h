#pragma once

#include <optional>

#include "expression/typed.h"

namespace pallasgen {

// The place where a condition changes along one symbol: it is false below `at` and true from there on if it `rises`,
// else true below `at` and false from there on.
struct Threshold {
  bool rises = true;
  TypedPtr at;
};

// The threshold of a condition for low <= symbol < high, clamped to [low, high]; both may be run-time values with
// `high` not below `low`. The condition consists of comparisons that are affine in the symbol, with a constant factor,
// and of conditions without the symbol, joined by `and`, `or` and `not`; all comparisons with it change in one
// direction. None for any other condition, and for one without the symbol.
std::optional<Threshold> threshold(const TypedPtr& condition, const Symbol& symbol, const TypedPtr& low,
                                   const TypedPtr& high);

}  // namespace pallasgen
