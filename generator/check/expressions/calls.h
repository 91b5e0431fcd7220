#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/words.h"
#include "expressions/typing_context.h"

namespace pallasgen {

// The arguments of a call in the order of the operation's parameters; absent ones are null.
using Bound = std::vector<ExprPtr>;

// Matches the arguments of a call with the parameters, the first `required` of which must be given.
std::optional<Bound> bind_arguments(TypingContext& in, const CallExpr& node, Span span, std::string_view name,
                                    const Parameters& parameters);
// Matches the arguments of a call with the signature of the operation of that name.
inline std::optional<Bound> bind_arguments(TypingContext& in, const CallExpr& node, Span span, std::string_view name) {
  return bind_arguments(in, node, span, name, parameters_of(name));
}
// Adds a note with the order of the parameters to `out`, which reports an argument of the wrong kind, if that is an
// argument of `in.operation`.
void note_parameters(const TypingContext& in, Diagnostic& out);
// True if the name means an operation that takes or makes whole blocks.
bool is_operation_of_blocks(const TypingContext& in, const std::string& name);
// The entries of an index: those of a list or tuple, or the index itself.
std::vector<ExprPtr> entries_of(const ExprPtr& index);
// The word of an argument such as `order=relaxed`; none after an error.
std::optional<MemoryOrder> memory_order(const ExprPtr& expr, const std::vector<MemoryOrder>& allowed,
                                        std::string_view what, Diagnostics& diagnostics);
std::optional<MemoryScope> memory_scope(const ExprPtr& expr, Diagnostics& diagnostics);
// True if no two elements of the ref share a byte, as an order needs; otherwise reports an error about `what`.
bool has_own_bytes(Diagnostics& diagnostics, const Ref& ref, Span span, const std::string& what);
// The atomic of a name such as "atomic_add"; none for other names.
std::optional<AtomicOp> atomic_named(const std::string& name);

// Types the call of an operation; `name` says which, as some operations share a function.
using OperationCall = TypedPtr(TypingContext& in, const CallExpr& node, Span span, const std::string& name);
OperationCall composed_call, dequantize_call, dot_call, einsum_call, quantize_call, random_call, reduce_call,
    searchsorted_call, shape_call;

// Operations on arrays, from which calls and other operations are composed.
using Axes = std::vector<int64_t>;
// The axes that an expression lists, counted from the first; messages call the value `of`, such as "f32[8, 8]". Errors:
// index-range, constant-value.
std::optional<Axes> axes_of(TypingContext& in, const ExprPtr& expr, size_t rank, std::string_view what,
                            const std::string& of);
// Attributes of an operation with axes.
OpAttributes along(Axes axes);
// The value with its axes in the given order.
TypedPtr permuted(const TypedPtr& value, const Axes& order, Span span);
// The operand with its axes in the order that `axes` lists, or reversed if that is null.
TypedPtr transpose(TypingContext& in, const TypedPtr& operand, const ExprPtr& axes, Span span);
// Reduces over axes, which are in ascending order. Errors: operand-dtype, shape-mismatch.
TypedPtr reduce_axes(TypingContext& in, Span span, Op op, const TypedPtr& operand, Axes axes, bool keepdims);
// A product of matrices, of the natural dtype or of `wanted`. Errors: dtype-mismatch, operand-dtype, shape-mismatch,
// dot-partial-contraction.
TypedPtr dot(TypingContext& in, Span span, const TypedPtr& a, const TypedPtr& b, OpAttributes attributes,
             std::optional<DType> wanted);
// Reports dot-partial-contraction for one operand; `axis` is the contracted axis of the operand as written. Past the
// end an operand must be 0, and a scale any finite number.
enum class PartialRule : uint8_t { operand, scale };
void check_partial(Context& context, const TypedPtr& operand, int64_t axis, Span span, Diagnostics& diagnostics,
                   PartialRule rule = PartialRule::operand);

}  // namespace pallasgen
