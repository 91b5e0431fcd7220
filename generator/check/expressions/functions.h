#pragma once

#include <string>
#include <vector>

#include "expressions/typing_context.h"

namespace pallasgen {

// The call of a function of the spec or the library, of an operation by its name, or of a derivative. Functions of
// scalars become one of Kernel::functions for each combination of dtypes; others are written into the caller.
Value call_function(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span);
// The function typed on scalars of the arguments' dtypes; its body is null after an error, which goes to `diagnostics`.
Function scalar_function(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span,
                         Diagnostics& diagnostics);
// Makes it one of Kernel::functions, and gives its id.
int add_function(Context& context, Function function);
// grad(f), grad(f, argnum): the function that gives f's derivative by its first parameter, or by another.
Value grad_call(TypingContext& in, const CallExpr& node, Span span);
// The call of what grad() gave.
Value call_gradient(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span);
// Whether every node of a scalar body is an elementwise operation or a cast, so that it can be a Function.
bool is_elementwise(const TypedPtr& body);
// A name that no function of the kernel has, made of `name` and, where that is taken, the dtypes of the arguments.
std::string unique_function_name(const Kernel& kernel, std::string name, const std::vector<TypedPtr>& args);

}  // namespace pallasgen
