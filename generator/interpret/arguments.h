#pragma once

#include "evaluator.h"
#include "interpret/interpret.h"

namespace pallasgen::interpreter {

// The environment of a kernel outside any program: dims and scalars by id; axes, locals and blocks are empty. The
// arguments are complete, or nothing uses those that are missing.
Environment environment_of(const Kernel& kernel, const Arguments& arguments);

// The extents of a ref's array; nothing, with a diagnostic, if one is negative or the array is too large.
std::optional<Shape> extents_of(const Ref& ref, Environment& environment, Diagnostics& diagnostics);
// The same for any array of the kernel.
std::optional<Shape> extents_of(const std::string& name, DType dtype, const std::vector<TypedPtr>& shape, Span span,
                                Environment& environment, Diagnostics& diagnostics);

// Whole arrays as values and back.
Value value_of(const Array& array);
Array array_of(const Value& value);

// Infers dims without a value from the shapes of the given arrays.
void infer_dims(const Kernel& kernel, Arguments& arguments);
// True if all arguments are given, dtypes and shapes fit and the dims satisfy their facts; reports each violation.
bool check_arguments(const Kernel& kernel, const Arguments& arguments, Diagnostics& diagnostics);

}  // namespace pallasgen::interpreter
