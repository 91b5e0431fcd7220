#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// What breaks a rule of the language at some sizes and values must not run where the spec does not run it.

// True if an expression may read outside an array, a block or a value, or divide an index value by 0.
bool may_fail(const Kernel& kernel, const TypedPtr& expr);
// True if a box may lie wholly outside its array, or have a bounded slice, whose size may be invalid.
bool may_fail(const Kernel& kernel, const tile::Box& box);

}  // namespace pallasgen::schedule
