#pragma once

#include <string>
#include <vector>

#include "expressions/typing_context.h"

namespace pallasgen {

// Whether no parameter lets the function change an argument.
bool leaves_arguments(const ExternCandidate& candidate);
// The first parameter that lets it, as in "parameter 1 is a pointer (float *)"; empty where there is none.
std::string written_parameter(const ExternCandidate& candidate);

// The call of a function of the spec's header: one of Kernel::functions for each combination of dtypes.
Value call_extern(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span);

}  // namespace pallasgen
