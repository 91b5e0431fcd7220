#pragma once

#include <string>
#include <vector>

#include "expressions/typing_context.h"

namespace pallasgen {

// True if no parameter lets the function change an argument.
bool leaves_arguments(const ExternCandidate& candidate);
// The first parameter that lets it, as in "parameter 1 is a pointer (float *)"; empty if there is none.
std::string written_parameter(const ExternCandidate& candidate);

// Types the call of a function of the spec's header: each combination of dtypes is one of Kernel::functions.
Value call_extern(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span);

}  // namespace pallasgen
