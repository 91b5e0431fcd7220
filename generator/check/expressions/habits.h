#pragma once

#include <string>

#include "expressions/typing_context.h"

namespace pallasgen {

// Advice on an attribute that does not exist, for people who write as in NumPy, JAX or Triton: `x.sum(axis=1)`,
// `jnp.exp(x)`, `x.shape[0]`, `pl.program_id(0)`. `call` calls the attribute, or is null. Empty if none is known.
std::string remedy_for_attribute(const TypingContext& in, const AttributeExpr& node, const CallExpr* call);

}  // namespace pallasgen
