#pragma once

#include "expressions/typing_context.h"

namespace pallasgen {

// The call of a function of the spec's header: one of Kernel::functions for each combination of dtypes.
Value call_extern(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span);

}  // namespace pallasgen
