#pragma once

#include <optional>
#include <vector>

#include "value.h"

namespace pallasgen::interpreter {

// Operations on whole values (docs/language.md, Operations). Shapes fit (checked before).

// Dim i of the result is dim permutation[i] of the value.
Value transpose(const Value& value, const std::vector<int64_t>& permutation);
Value concatenate(const std::vector<Value>& values, int64_t axis, DType dtype);
// Counts 0, 1, … along `axis`.
Value iota(DType dtype, const Shape& shape, int64_t axis);

// sum prod mean max min any all argmax argmin over `axes` (none: over all). Sums and products of f16 and bf16
// accumulate in f32 and round once; integers are converted to `dtype` first (i32 for bool and narrow ones) and wrap.
// Floats are added pairwise in row-major order. NaN propagates through max and min, and argmax and argmin stop at it;
// the lowest index wins. Over no elements: 0, 1, NaN (mean), the least and the greatest value, false, true, index 0.
Value reduce(Op op, DType dtype, const Value& value, std::vector<int64_t> axes, bool keepdims);
// cumsum, cummax along an axis; a sum of f16 or bf16 is carried in f32, every prefix rounded once.
Value scan(Op op, DType dtype, const Value& value, int64_t axis);

// The product of a [.., m, k] (or [.., k, m] if trans_a) and b [.., k, n] (or [.., n, k]), plus `start` if given, which
// is consumed, in one accumulation along k, in order: f32 for floats up to f32, f64, i32 (wraps) for narrow integers.
// Leading dims broadcast. `dtype` is the result's: a result of f16 accumulates in f32 and rounds once. Precision tf32
// rounds f32 inputs to 10 bits after the point first (ties to even); bf16x3 adds the products of their upper and lower
// bf16 parts except that of the two lower parts.
struct DotForm {
  bool trans_a = false, trans_b = false;
  enum class Precision : uint8_t { exact, tf32, bf16x3 } precision = Precision::exact;
};
Value dot(const Value& a, const Value& b, DType dtype, const DotForm& form, std::optional<Value> start);

}  // namespace pallasgen::interpreter
