#pragma once

#include <string>
#include <vector>

#include "expressions/typing_context.h"

namespace pallasgen {

// Types the call of a function of the spec or the library, of an operation by its name, or of a derivative. A function
// of scalars becomes one of Kernel::functions for each combination of dtypes; others are inlined.
Value call_function(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span);
// The function typed on scalars of the arguments' dtypes; its body is null after an error, reported to `diagnostics`.
Function scalar_function(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span,
                         Diagnostics& diagnostics);
// Adds the function to Kernel::functions and returns its id.
int add_function(Context& context, Function function);
// grad(f), grad(f, argnum): the derivative of f by its first parameter, or by another.
Value grad_call(TypingContext& in, const CallExpr& node, Span span);
// Types the call of a result of grad().
Value call_gradient(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span);
// True if every node of a scalar body is an elementwise operation or a cast, so that it can be a Function.
bool is_elementwise(const TypedPtr& body);
// A name that no function of the kernel has: `name`, with the dtypes of the arguments appended if it is taken.
std::string unique_function_name(const Kernel& kernel, std::string name, const std::vector<TypedPtr>& args);

}  // namespace pallasgen
