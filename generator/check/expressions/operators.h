#pragma once

#include <string_view>
#include <vector>

#include "expressions/typing_context.h"

namespace pallasgen {

// True if a value has the dtype of an element, so that it is neither an index nor a literal.
inline bool has_dtype(const TypedPtr& value) { return value->dtype != DType::index && value->dtype != DType::literal; }

// The operation of an operator; `@` is Op::dot.
Op operation_of(BinaryOp op);
// An elementwise operation on typed operands, with dtypes unified and shapes broadcast; null if an operand is null.
// Errors: dtype-mismatch, operand-dtype, shape-mismatch, and those of coerce().
TypedPtr operate(TypingContext& in, Span span, Op op, std::vector<TypedPtr> args);
// True if integers are divided by a constant 0. Always false in a reference, whose extents are those of a test.
bool divides_by_zero(const Context& context, Op op, const std::vector<TypedPtr>& args);
// Converts an index value or a literal to `dtype`; other values must have it already. Errors: dtype-mismatch,
// literal-range, literal-dtype.
TypedPtr coerce(TypingContext& in, const TypedPtr& value, DType dtype);
// The value with its own dtype, or unchanged if it is a constant or one index value. Error: literal-dtype.
TypedPtr settled(TypingContext& in, const TypedPtr& value, std::string_view what);
// Converts an index value that is made of integer scalars and their elements to their dtype, if they have the same one.
// Returns any other value unchanged.
TypedPtr with_own_dtype(TypingContext& in, const TypedPtr& value);
// The value that `.astype(dtype)` gives.
TypedPtr cast(TypingContext& in, const TypedPtr& value, DType dtype, Span span);
// Joins the shapes of the values; false after shape-mismatch, whose message calls them operands of `what`.
bool broadcast(TypingContext& in, Span span, std::string_view what, const std::vector<TypedPtr>& args, Shape& shape);

}  // namespace pallasgen
