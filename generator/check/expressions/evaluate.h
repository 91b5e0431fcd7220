#pragma once

#include <optional>
#include <string_view>

#include "expressions/typing_context.h"

namespace pallasgen {

// Types expressions: names are resolved, consts folded, dtypes and shapes settled. In messages, `what` says what the
// expression is for: "the size of axis 'm'".

// What the expression stands for, whatever kind of thing that is.
Value evaluate(TypingContext& in, const ExprPtr& expr);
// A value of any dtype and shape; a ref is read whole.
TypedPtr value_of(TypingContext& in, const ExprPtr& expr);
// The same for what evaluate() gave: name-kind where it is no value, runtime-shape for a ref whose shape is not known.
TypedPtr read(TypingContext& in, const Value& value);
// A scalar integer that is an index value; `rule` is broken where it is not.
TypedPtr index_of(TypingContext& in, const ExprPtr& expr, std::string_view what, const Rule& rule);
// A scalar integer, an index value or of a dtype.
TypedPtr integer_of(TypingContext& in, const ExprPtr& expr, std::string_view what);
// A scalar truth value.
TypedPtr condition_of(TypingContext& in, const ExprPtr& expr, std::string_view what, const std::string& choice = "");
std::optional<int64_t> constant_integer(TypingContext& in, const ExprPtr& expr, std::string_view what,
                                        std::string_view remedy = "");
std::optional<bool> constant_bool(TypingContext& in, const ExprPtr& expr, std::string_view what);
std::optional<DType> dtype_of(TypingContext& in, const ExprPtr& expr);
// A list of constant integers >= 0; one integer is a list of one.
std::optional<Shape> shape_of(TypingContext& in, const ExprPtr& expr);
// A constant of that dtype (`fill`, `init`).
std::optional<Scalar> constant_of(TypingContext& in, const ExprPtr& expr, DType dtype, std::string_view what);
// The shape of a ref: of its block, in the reference of its array.
const Shape& shape_of_ref(const Context& context, int ref);

// Kinds of expressions that evaluate() leaves to others.
// `call`: whose callee the name is; null: it is a value of its own.
Value name_value(TypingContext& in, const std::string& name, Span span, const CallExpr* call = nullptr);
Value subscript_value(TypingContext& in, const SubscriptExpr& node, Span span);
Value call_value(TypingContext& in, const CallExpr& node, Span span);
// `x.T`; errors for other attributes, of which some have a meaning before brackets. `call`: of the attribute, if it is.
Value attribute_value(TypingContext& in, const AttributeExpr& node, Span span, const CallExpr* call = nullptr);

}  // namespace pallasgen
