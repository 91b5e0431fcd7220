#pragma once

#include "check/kernel.h"

namespace pallasgen::schedule {

// A condition of index values; null stands for one that nothing asks.
inline TypedPtr condition(Op op, TypedPtr a, TypedPtr b) {
  return pallasgen::apply({}, op, DType::boolean, {}, {std::move(a), std::move(b)});
}
inline TypedPtr either(TypedPtr a, TypedPtr b) { return a ? condition(Op::logical_or, std::move(a), std::move(b)) : b; }

}  // namespace pallasgen::schedule
