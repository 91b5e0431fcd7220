#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "array_ops.h"
#include "broadcast.h"
#include "diagnostics/assert.h"
#include "formats.h"

namespace pallasgen::interpreter {
namespace {

// c[m, n] += a[m, k] @ b[k, n]: every element adds its products in the order of k. A block of b stays in cache, and
// four steps of k share one pass over a row of c.
template <class T>
void multiply_add(const T* a, const T* b, T* c, int64_t rows, int64_t columns, int64_t steps) {
  constexpr int64_t kPartColumns = 512, kPartSteps = 128;
  for (int64_t n0 = 0; n0 < columns; n0 += kPartColumns) {
    const int64_t width = std::min(columns - n0, kPartColumns);
    for (int64_t k0 = 0; k0 < steps; k0 += kPartSteps) {
      const int64_t k1 = std::min(steps, k0 + kPartSteps);
      for (int64_t m = 0; m < rows; ++m) {
        T* __restrict to = c + m * columns + n0;
        int64_t k = k0;
        for (; k + 4 <= k1; k += 4) {
          const T a0 = a[m * steps + k], a1 = a[m * steps + k + 1];
          const T a2 = a[m * steps + k + 2], a3 = a[m * steps + k + 3];
          const T* __restrict b0 = b + k * columns + n0;
          const T* __restrict b1 = b0 + columns;
          const T* __restrict b2 = b1 + columns;
          const T* __restrict b3 = b2 + columns;
          for (int64_t n = 0; n < width; ++n) {
            T sum = to[n];
            sum += a0 * b0[n];
            sum += a1 * b1[n];
            sum += a2 * b2[n];
            sum += a3 * b3[n];
            to[n] = sum;
          }
        }
        for (; k < k1; ++k) {
          const T factor = a[m * steps + k];
          const T* __restrict row = b + k * columns + n0;
          for (int64_t n = 0; n < width; ++n) to[n] += factor * row[n];
        }
      }
    }
  }
}

float round_to_tf32(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7f800000) == 0x7f800000) return value;
  return std::bit_cast<float>((bits + 0xfff + ((bits >> 13) & 1)) & ~0x1fffu);
}

template <class F>
Value mapped(const Value& value, F f) {
  Value result = make_value(value.dtype, value.shape);
  map_rows<float, float>(result, value, f);
  return result;
}

Value upper_half(const Value& value) { return mapped(value, round_to_bf16); }

Value lower_half(const Value& value) {
  return mapped(value, [](float x) {
    const float upper = round_to_bf16(x);
    return std::isfinite(upper) ? round_to_bf16(x - upper) : 0.0f;
  });
}

std::vector<int64_t> swapped_last(size_t rank) {
  std::vector<int64_t> order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = static_cast<int64_t>(i);
  std::swap(order[rank - 1], order[rank - 2]);
  return order;
}

// The elements of an operand before batch `batch` of `result`'s leading dims, to which its own broadcast.
int64_t batch_offset(int64_t batch, const Shape& result, const Shape& operand) {
  int64_t offset = 0, stride = 1;
  const size_t lead = result.size() - operand.size();
  stride = operand[operand.size() - 1] * operand[operand.size() - 2];
  for (size_t i = result.size() - 2; i-- > 0;) {
    const int64_t position = batch % result[i];
    batch /= result[i];
    if (i < lead) continue;
    const int64_t extent = operand[i - lead];
    if (extent != 1) offset += position * stride;
    stride *= extent;
  }
  return offset;
}

void accumulate(const Value& a, const Value& b, Value& c) {
  const int64_t rows = c.shape[c.shape.size() - 2], columns = c.shape.back(), steps = a.shape.back();
  const int64_t batches = rows * columns == 0 ? 0 : c.size() / (rows * columns);
  with_carrier(c.dtype, [&](auto zero) {
    // Integers wrap: unsigned arithmetic gives their bits.
    using T = decltype(zero);
    using Sum = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
    for (int64_t batch = 0; batch < batches; ++batch) {
      multiply_add(a.as<Sum>() + batch_offset(batch, c.shape, a.shape),
                   b.as<Sum>() + batch_offset(batch, c.shape, b.shape), c.edit<Sum>() + batch * rows * columns, rows,
                   columns, steps);
    }
  });
}

}  // namespace

Value dot(const Value& a_stored, const Value& b_stored, DType dtype, const DotForm& form, std::optional<Value> start) {
  PALLASGEN_ASSERT(a_stored.shape.size() >= 2 && b_stored.shape.size() >= 2);
  const DType wide = is_float(dtype) && carrier_of(dtype) == Carrier::f32 ? DType::f32 : dtype;
  Value a = convert(form.trans_a ? transpose(a_stored, swapped_last(a_stored.shape.size())) : a_stored, wide);
  Value b = convert(form.trans_b ? transpose(b_stored, swapped_last(b_stored.shape.size())) : b_stored, wide);
  Shape lead = broadcast_shape({a.shape.begin(), a.shape.end() - 2}, {b.shape.begin(), b.shape.end() - 2});
  PALLASGEN_ASSERT(a.shape.back() == b.shape[b.shape.size() - 2]);
  Shape shape = std::move(lead);
  shape.push_back(a.shape[a.shape.size() - 2]);
  shape.push_back(b.shape.back());
  // Each dot sums 8-bit floats from 0: what instructions keep of the sum is added in f32 (docs/language.md).
  if (start && (a_stored.dtype == DType::f8e4m3 || a_stored.dtype == DType::f8e5m2)) {
    Value sum = convert(dot(a_stored, b_stored, dtype, form, std::nullopt), wide);
    const Value before = convert(broadcast(*start, shape), wide);
    for (int64_t i = 0; i < sum.size(); ++i) sum.edit<float>()[i] = before.as<float>()[i] + sum.as<float>()[i];
    return convert(sum, dtype);
  }
  if (start) start = convert(broadcast(*std::exchange(start, std::nullopt), shape), wide);
  Value c = start ? unshared(*std::exchange(start, std::nullopt)) : filled_value(wide, shape, int64_t{0});
  if (form.precision == DotForm::Precision::bf16x3) {
    const Value a_high = upper_half(a), a_low = lower_half(a), b_high = upper_half(b), b_low = lower_half(b);
    accumulate(a_low, b_high, c);
    accumulate(a_high, b_low, c);
    accumulate(a_high, b_high, c);
    return convert(c, dtype);
  }
  if (form.precision == DotForm::Precision::tf32) {
    a = mapped(a, round_to_tf32);
    b = mapped(b, round_to_tf32);
  }
  accumulate(a, b, c);
  return convert(c, dtype);
}

}  // namespace pallasgen::interpreter
