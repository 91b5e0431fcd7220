#pragma once

#include <optional>
#include <set>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// What the plans of reductions, scans and products of matrices have in common, wherever their values are.

// The dtype in which elements are combined before the one rounding: f32 for sums of floats of 16 bits and less.
DType accumulator(Op op, DType dtype);
// What combining starts from: the value that changes nothing.
TypedPtr neutral(Op op, DType dtype);
// The combination that the runtime knows by this name, of which mean and running sums are sums; none of argmax and
// argmin.
std::optional<Op> combination(Op op);

// argmax and argmin.
inline bool is_position(Op op) { return op == Op::argmax || op == Op::argmin; }

// Adds the reductions of an expression whose results the value takes in parts: sums that it adds to itself, which it
// may scale, products that it multiplies by, or what it takes the largest or least with.
void note_terms(const TypedPtr& expr, int value, Op reduction, std::set<const Typed*>& terms);

TypedPtr cast_to(const TypedPtr& value, DType dtype);
// An operation on values without dims.
TypedPtr scalar_apply(Span span, Op op, DType dtype, std::vector<TypedPtr> args);

}  // namespace pallasgen
