#pragma once

#include "expressions/typing_context.h"

namespace pallasgen {

// Checks the `block` and `index_map` of a ref and fills `ref.block` and `ref.shape` from them; `ref.array_shape` is set
// before. False after an error.
[[nodiscard]] bool check_block(Context& context, const RefSpec& spec, Ref& ref);

// The branch that a conditional with constant conditions takes; any other expression itself. Null after an error.
ExprPtr taken_branch(TypingContext& in, const ExprPtr& expr);

}  // namespace pallasgen
