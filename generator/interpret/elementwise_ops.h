#pragma once

#include <vector>

#include "value.h"

namespace pallasgen::interpreter {

// The arithmetic of one operation on operands of the result's dtype, not yet rounded to dtypes narrower than the
// carrier.
template <class T>
void float_arithmetic(Op op, Value& result, const std::vector<Value>& operands);
void integer_arithmetic(Op op, Value& result, const std::vector<Value>& operands);
// isnan if `for_nan`, else isfinite.
template <class T>
void test_numbers(bool for_nan, Value& result, const Value& operand);

}  // namespace pallasgen::interpreter
