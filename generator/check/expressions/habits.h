#pragma once

#include <string>

#include "expressions/typing_context.h"

namespace pallasgen {

// What to write in place of an attribute that nothing has, for people who write as in NumPy, JAX or Triton:
// `x.sum(axis=1)`, `jnp.exp(x)`, `x.shape[0]`, `pl.program_id(0)`. `call`: of the attribute, null where it is not
// called. Empty: unknown.
std::string remedy_for_attribute(const TypingContext& in, const AttributeExpr& node, const CallExpr* call);

}  // namespace pallasgen
