#pragma once

#include <string_view>
#include <vector>

#include "expressions/typing_context.h"

namespace pallasgen {

// Whether a value has the dtype of an element, and is neither an index nor a literal.
inline bool has_dtype(const TypedPtr& value) { return value->dtype != DType::index && value->dtype != DType::literal; }

// What an operator means; `@` is Op::dot.
Op operation_of(BinaryOp op);
// An elementwise operation on typed operands, of which none is used if one is null: dtypes unified, shapes broadcast.
// Errors: dtype-mismatch, operand-dtype, shape-mismatch, and those of coerce().
TypedPtr operate(TypingContext& in, Span span, Op op, std::vector<TypedPtr> args);
// Whether integers are divided by a constant 0. The extents that a reference is typed for are the tests', not the
// spec's.
bool divides_by_zero(const Context& context, Op op, const std::vector<TypedPtr>& args);
// The value with dtype `dtype`, where it is an index value or a literal; others must have it already. Errors:
// dtype-mismatch, literal-range, literal-dtype.
TypedPtr coerce(TypingContext& in, const TypedPtr& value, DType dtype);
// Literals and index values in a value that needs a dtype of its own: literal-dtype for a literal that is no constant.
TypedPtr settled(TypingContext& in, const TypedPtr& value, std::string_view what);
// The value with a dtype, where it is an index value that is made of integer scalars and their elements: theirs. Any
// other value is given back as it is.
TypedPtr with_own_dtype(TypingContext& in, const TypedPtr& value);
// The value as `.astype(dtype)` has it.
TypedPtr cast(TypingContext& in, const TypedPtr& value, DType dtype, Span span);
// The joint shape of the values; false after shape-mismatch, in whose message they are operands of `what`.
bool broadcast(TypingContext& in, Span span, std::string_view what, const std::vector<TypedPtr>& args, Shape& shape);

}  // namespace pallasgen
