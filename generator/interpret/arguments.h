#pragma once

#include "evaluator.h"
#include "interpret/interpret.h"

namespace pallasgen::interpreter {

// The environment of a kernel outside any program: dims and scalars by id. The arguments are complete, or those that
// are missing are asked for by nothing; axes, locals and blocks are empty.
Environment environment_of(const Kernel& kernel, const Arguments& arguments);

// The extents of a ref's array; nothing, with a diagnostic, where one is negative or the array is too large.
std::optional<Shape> extents_of(const Ref& ref, Environment& environment, Diagnostics& diagnostics);
// The same of any array of the kernel.
std::optional<Shape> extents_of(const std::string& name, DType dtype, const std::vector<TypedPtr>& shape, Span span,
                                Environment& environment, Diagnostics& diagnostics);

// Whole arrays as values and back.
Value value_of(const Array& array);
Array array_of(const Value& value);

// Finds dims without a value in the shapes of the arrays that are there.
void infer_dims(const Kernel& kernel, Arguments& arguments);
// Everything there, of the right dtype and shape, with the dims' facts kept; reports all that is not.
bool check_arguments(const Kernel& kernel, const Arguments& arguments, Diagnostics& diagnostics);

}  // namespace pallasgen::interpreter
