#pragma once

#include <optional>
#include <set>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// Functions that plans of reductions, scans and products of matrices share, wherever their values are.

// Returns the dtype in which elements are combined before one rounding: f32 for sums of floats of 16 bits or less.
DType accumulator(Op op, DType dtype);
// Returns the neutral element of the combination.
TypedPtr neutral(Op op, DType dtype);
// Returns the runtime's combination for the operation: sum for mean and running sums, max for running maxima; none for
// argmax and argmin.
std::optional<Op> combination(Op op);

// True for argmax and argmin.
inline bool is_position(Op op) { return op == Op::argmax || op == Op::argmin; }

// Adds to `terms` the reductions in an expression whose elements the value may combine directly: sums that it adds to
// itself, which it may scale, products that it multiplies by, and extrema with which it takes the larger or smaller.
void note_terms(const TypedPtr& expr, int value, Op reduction, std::set<const Typed*>& terms);

TypedPtr cast_to(const TypedPtr& value, DType dtype);
// Returns an operation on values without dims.
TypedPtr scalar_apply(Span span, Op op, DType dtype, std::vector<TypedPtr> args);

// True if a warp computes each result of a reduction, or walks each line of a scan, with the terms dealt to its lanes.
// This depends on shapes and on `checks:` alone.
bool takes_warps(const Kernel& kernel, const TypedPtr& node);

// True if the node's elements are computed together, so that it is all that a statement assigns: a scan of several
// elements, a reduction by warps, a load with an order.
bool is_computed_whole(const Kernel& kernel, const TypedPtr& node);

}  // namespace pallasgen
