#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// What breaks a rule of the language at some sizes and values, and must then not run where its spec does not run it.

// Whether an expression may read outside an array, a block or a value, or divide an index value by 0.
bool may_fail(const Kernel& kernel, const TypedPtr& expr);
// Whether a box may lie wholly outside its array, or have a size that is none.
bool may_fail(const Kernel& kernel, const tile::Box& box);

}  // namespace pallasgen::schedule
