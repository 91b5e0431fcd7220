#pragma once

#include <optional>
#include <string_view>

#include "expressions/typing_context.h"

namespace pallasgen {

// Types expressions: resolves names, folds consts, settles dtypes and shapes. `what` is the purpose of the expression
// in messages: "the size of axis 'm'".

// The meaning of the expression, of any kind.
Value evaluate(TypingContext& in, const ExprPtr& expr);
// A value of any dtype and shape; a ref is read whole.
TypedPtr value_of(TypingContext& in, const ExprPtr& expr);
// The same for a result of evaluate(). Errors: name-kind if it is no value, runtime-shape if a ref's shape is unknown.
TypedPtr read(TypingContext& in, const Value& value);
// A scalar integer that is an index value; otherwise reports `rule`.
TypedPtr index_of(TypingContext& in, const ExprPtr& expr, std::string_view what, const Rule& rule);
// A scalar integer: an index value, or one with a dtype.
TypedPtr integer_of(TypingContext& in, const ExprPtr& expr, std::string_view what);
// A scalar truth value.
TypedPtr condition_of(TypingContext& in, const ExprPtr& expr, std::string_view what, const std::string& choice = "");
std::optional<int64_t> constant_integer(TypingContext& in, const ExprPtr& expr, std::string_view what,
                                        std::string_view remedy = "");
std::optional<bool> constant_bool(TypingContext& in, const ExprPtr& expr, std::string_view what);
std::optional<DType> dtype_of(TypingContext& in, const ExprPtr& expr);
// A list of constant integers >= 0; one integer counts as a list of one.
std::optional<Shape> shape_of(TypingContext& in, const ExprPtr& expr);
// A constant of that dtype, as for `fill` and `init`.
std::optional<Scalar> constant_of(TypingContext& in, const ExprPtr& expr, DType dtype, std::string_view what);
// The shape of a ref's block, or in the reference of its array.
const Shape& shape_of_ref(const Context& context, int ref);

// Kinds of expressions that evaluate() leaves to other functions.
// `call`: the call whose callee is the name; null if the name is a value.
Value name_value(TypingContext& in, const std::string& name, Span span, const CallExpr* call = nullptr);
Value subscript_value(TypingContext& in, const SubscriptExpr& node, Span span);
Value call_value(TypingContext& in, const CallExpr& node, Span span);
// `x.T`; reports other attributes, some of which are allowed before brackets. `call`: its call, or null.
Value attribute_value(TypingContext& in, const AttributeExpr& node, Span span, const CallExpr* call = nullptr);

}  // namespace pallasgen
