#pragma once

#include <vector>

#include "value.h"

namespace pallasgen::interpreter {

// Applies an elementwise operation to operands that broadcast together; the result has their common shape.
// Operands that are index values or literals take the dtype of the others (`where`: of the other arm). `dtype` is the
// result's; comparisons and tests give bool. Every result is rounded or wrapped to its dtype once: f16, bf16 and
// smaller floats are computed in f32, transcendental functions in f64, from which rounding to the dtype follows.
// Integer division by zero gives the most negative integer (unsigned: 0); shifts by the width or more give what
// shifting bit by bit would.
Value apply_elementwise(Op op, DType dtype, std::vector<Value> operands);

}  // namespace pallasgen::interpreter
