#pragma once

#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// The steps of a kernel: which expressions change with them, and their values at the first and the last step.

TypedPtr axis_symbol(const Kernel& kernel, int axis);
TypedPtr axis_size_symbol(const Kernel& kernel, int axis);

// True if an index expression, which may be null, depends on a sequential axis, also through lets and sizes of axes.
bool mentions_steps(const Kernel& kernel, const TypedPtr& expr);
// True if the position of the ref's block may change from step to step.
bool moves_with_steps(const Kernel& kernel, const Ref& ref);

// The expression with each sequential axis at its last step, as in an epilogue, or at 0, as in a prologue.
TypedPtr at_last_step(const Kernel& kernel, const TypedPtr& expr);
TypedPtr at_first_step(const Kernel& kernel, const TypedPtr& expr);
// The expression with `step` in place of one sequential axis.
TypedPtr at_step_of(const Kernel& kernel, const TypedPtr& expr, int axis, const TypedPtr& step);

// True if a program may have no step at all.
bool may_have_no_step(const Kernel& kernel, const SymbolFacts& facts);

}  // namespace pallasgen
