#pragma once

#include "expressions/typing_context.h"

namespace pallasgen {

// The block of a ref: fills `ref.block` and `ref.shape` from the spec's `block` and `index_map`; `ref.array_shape` is
// there. False after an error.
[[nodiscard]] bool check_block(Context& context, const RefSpec& spec, Ref& ref);

// The expression that a conditional with a constant condition stands for; null after an error.
ExprPtr taken_branch(TypingContext& in, const ExprPtr& expr);

}  // namespace pallasgen
