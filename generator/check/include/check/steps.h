#pragma once

#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// The steps of a kernel: what of it moves with them, and what it is at the first and at the last.

TypedPtr axis_symbol(const Kernel& kernel, int axis);
TypedPtr axis_size_symbol(const Kernel& kernel, int axis);

// Whether an index expression, which may be null, names a sequential axis, by lets and sizes of axes too.
bool mentions_steps(const Kernel& kernel, const TypedPtr& expr);
// Whether the ref's block is at another place at some steps than at others.
bool moves_with_steps(const Kernel& kernel, const Ref& ref);

// Where the kernel's steps are over (an epilogue) sequential axes stand for their last step, in a prologue for 0.
TypedPtr at_last_step(const Kernel& kernel, const TypedPtr& expr);
TypedPtr at_first_step(const Kernel& kernel, const TypedPtr& expr);
// With `step` in place of one sequential axis.
TypedPtr at_step_of(const Kernel& kernel, const TypedPtr& expr, int axis, const TypedPtr& step);

// Whether a program may have no step at all.
bool may_have_no_step(const Kernel& kernel, const SymbolFacts& facts);

}  // namespace pallasgen
