#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/words.h"
#include "expressions/typing_context.h"

namespace pallasgen {

// Arguments of a call, put in the order of the operation's parameters; absent ones are null.
using Bound = std::vector<ExprPtr>;

// The arguments of a call by the parameters, of which the first `required` must be there.
std::optional<Bound> bind_arguments(TypingContext& in, const CallExpr& node, Span span, std::string_view name,
                                    const Parameters& parameters);
// The arguments of a call by the signature of the operation of that name.
inline std::optional<Bound> bind_arguments(TypingContext& in, const CallExpr& node, Span span, std::string_view name) {
  return bind_arguments(in, node, span, name, parameters_of(name));
}
// Of an argument of the operation that is being typed, of which `out` says that it is of the wrong kind: a note of the
// order in which arguments come.
void note_parameters(const TypingContext& in, Diagnostic& out);
// Whether the name is that of an operation which takes or makes whole blocks.
bool is_operation_of_blocks(const TypingContext& in, const std::string& name);
// One entry of an index, or the entries of a list of them.
std::vector<ExprPtr> entries_of(const ExprPtr& index);
// The word that an argument such as `order=relaxed` is; empty after an error.
std::optional<MemoryOrder> memory_order(const ExprPtr& expr, const std::vector<MemoryOrder>& allowed,
                                        std::string_view what, Diagnostics& diagnostics);
std::optional<MemoryScope> memory_scope(const ExprPtr& expr, Diagnostics& diagnostics);
// Whether no two elements of the ref share a byte, as an order needs; else a diagnostic about `what`.
bool has_own_bytes(Diagnostics& diagnostics, const Ref& ref, Span span, const std::string& what);
// The atomic of that name: "atomic_add".
std::optional<AtomicOp> atomic_named(const std::string& name);

// Types the call of an operation, of which some share a function: `name` says which it is.
using OperationCall = TypedPtr(TypingContext& in, const CallExpr& node, Span span, const std::string& name);
OperationCall composed_call, dequantize_call, dot_call, einsum_call, quantize_call, random_call, reduce_call,
    searchsorted_call, shape_call;

// Operations on arrays, which calls and other operations are made of.
using Axes = std::vector<int64_t>;
// Axes that an expression lists, counted from the first, of what is said to be `of`: "f32[8, 8]". Errors: index-range,
// constant.
std::optional<Axes> axes_of(TypingContext& in, const ExprPtr& expr, size_t rank, std::string_view what,
                            const std::string& of);
// Attributes of an operation with axes.
OpAttributes along(Axes axes);
// The axes of the value in that order.
TypedPtr permuted(const TypedPtr& value, const Axes& order, Span span);
// The axes in the order that `axes` lists, or reversed where it is null.
TypedPtr transpose(TypingContext& in, const TypedPtr& operand, const ExprPtr& axes, Span span);
// A reduction over axes in rising order. Errors: operand-dtype, shape-mismatch.
TypedPtr reduce_axes(TypingContext& in, Span span, Op op, const TypedPtr& operand, Axes axes, bool keepdims);
// A product of matrices, of the natural dtype or of `wanted`. Errors: dtype-mismatch, operand-dtype, shape-mismatch,
// dot-partial-contraction.
TypedPtr dot(TypingContext& in, Span span, const TypedPtr& a, const TypedPtr& b, OpAttributes attributes,
             std::optional<DType> wanted);
// dot-partial-contraction, for one operand; `axis` is the contracted axis of the operand as written. Past the end an
// operand must be 0, and a scale any finite number.
enum class PartialRule : uint8_t { operand, scale };
void check_partial(Context& context, const TypedPtr& operand, int64_t axis, Span span, Diagnostics& diagnostics,
                   PartialRule rule = PartialRule::operand);

}  // namespace pallasgen
