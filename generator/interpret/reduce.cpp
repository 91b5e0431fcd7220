#include <algorithm>
#include <limits>
#include <type_traits>

#include "array_ops.h"
#include "diagnostics/assert.h"

namespace pallasgen::interpreter {
namespace {

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x != x;
  else
    return false;
}

// Combines elements pairwise: the error grows with the logarithm of the count, and the order is fixed.
template <class T, class F>
T pairwise(const T* x, int64_t count, T start, F combine) {
  constexpr int64_t kLeaf = 16;
  if (count <= kLeaf) {
    T total = start;
    for (int64_t i = 0; i < count; ++i) total = combine(total, x[i]);
    return total;
  }
  const int64_t half = (count / 2 + kLeaf - 1) / kLeaf * kLeaf;
  return combine(pairwise(x, half, start, combine), pairwise(x + half, count - half, start, combine));
}

template <class T>
T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  } else {
    return a + b;
  }
}

template <class T>
T times(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else {
    return a * b;
  }
}

// True if the candidate wins: NaN over all else, then the greater (or the less); the first of equals stays.
template <class T>
bool beats(T candidate, T best, bool greatest) {
  if (is_nan(best)) return false;
  if (is_nan(candidate)) return true;
  return greatest ? candidate > best : candidate < best;
}

template <class T>
int64_t position_of_extreme(const T* x, int64_t count, bool greatest) {
  int64_t best = 0;
  for (int64_t i = 1; i < count; ++i) {
    if (beats(x[i], x[best], greatest)) best = i;
  }
  return best;
}

template <class T>
T extreme_of_nothing(bool greatest, DType dtype) {
  if constexpr (std::is_floating_point_v<T>) {
    return greatest ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
  } else {
    if (dtype == DType::boolean) return static_cast<T>(!greatest);
    const int bits = info(dtype).bits - (info(dtype).is_signed || dtype == DType::index ? 1 : 0);
    const auto high = static_cast<T>(~uint64_t{0} >> (64 - bits));
    if (!greatest) return high;
    return info(dtype).is_signed || dtype == DType::index ? static_cast<T>(-high - 1) : T{0};
  }
}

template <class T>
void reduce_rows(Op op, const T* x, int64_t rows, int64_t length, Value& result) {
  T* to = result.edit<T>();
  const bool greatest = op == Op::max;
  for (int64_t row = 0; row < rows; ++row, x += length) {
    switch (op) {
      case Op::sum:
        to[row] = pairwise(x, length, T{0}, plus<T>);
        break;
      case Op::prod:
        to[row] = pairwise(x, length, T{1}, times<T>);
        break;
      case Op::mean:
        to[row] = pairwise(x, length, T{0}, plus<T>) / static_cast<T>(length);
        break;
      default:
        to[row] =
            length == 0 ? extreme_of_nothing<T>(greatest, result.dtype) : x[position_of_extreme(x, length, greatest)];
    }
  }
}

void reduce_flags(Op op, const uint8_t* x, int64_t rows, int64_t length, uint8_t* to) {
  for (int64_t row = 0; row < rows; ++row, x += length) {
    to[row] = op == Op::any ? std::any_of(x, x + length, [](uint8_t b) { return b != 0; })
                            : std::all_of(x, x + length, [](uint8_t b) { return b != 0; });
  }
}

// The dtype in which elements are combined before the one rounding.
DType accumulator(Op op, DType dtype) {
  const bool sums = op == Op::sum || op == Op::prod || op == Op::mean || op == Op::cumsum;
  return sums && is_float(dtype) && carrier_of(dtype) == Carrier::f32 ? DType::f32 : dtype;
}

}  // namespace

Value reduce(Op op, DType dtype, const Value& value, std::vector<int64_t> axes, bool keepdims) {
  std::vector<bool> reduced(value.shape.size(), axes.empty());
  for (int64_t axis : axes) reduced[static_cast<size_t>(axis)] = true;
  std::vector<int64_t> order;
  Shape shape;
  int64_t rows = 1, length = 1;
  for (size_t i = 0; i < reduced.size(); ++i) {
    if (!reduced[i]) order.push_back(static_cast<int64_t>(i));
    if (!reduced[i])
      shape.push_back(value.shape[i]);
    else if (keepdims)
      shape.push_back(1);
    (reduced[i] ? length : rows) *= value.shape[i];
  }
  for (size_t i = 0; i < reduced.size(); ++i) {
    if (reduced[i]) order.push_back(static_cast<int64_t>(i));
  }
  Value rows_of = transpose(value, order);
  if (op == Op::any || op == Op::all) {
    rows_of = convert(rows_of, DType::boolean);
    Value result = make_value(DType::boolean, shape);
    reduce_flags(op, rows_of.as<uint8_t>(), rows, length, result.edit<uint8_t>());
    return result;
  }
  if (op == Op::argmax || op == Op::argmin) {
    Value positions = make_value(DType::index, shape);
    with_carrier(value.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (int64_t row = 0; row < rows; ++row) {
        positions.edit<int64_t>()[row] = position_of_extreme(rows_of.as<T>() + row * length, length, op == Op::argmax);
      }
    });
    return convert(positions, dtype);
  }
  const DType wide = accumulator(op, dtype);
  rows_of = convert(rows_of, wide);
  Value result = make_value(wide, shape);
  with_carrier(wide, [&](auto zero) {
    using T = decltype(zero);
    reduce_rows<T>(op, rows_of.as<T>(), rows, length, result);
  });
  normalize(wide, result.data.get(), rows);
  return convert(result, dtype);
}

Value scan(Op op, DType dtype, const Value& value, int64_t axis) {
  const auto at = static_cast<size_t>(axis);
  const DType wide = accumulator(op, dtype);
  Value result = unshared(convert(value, wide));
  int64_t inner = 1;
  for (size_t i = at + 1; i < value.shape.size(); ++i) inner *= value.shape[i];
  const int64_t length = value.shape[at];
  with_carrier(wide, [&](auto zero) {
    using T = decltype(zero);
    T* x = result.edit<T>();
    for (int64_t i = 0; i < result.size(); ++i) {
      if (i / inner % length == 0) continue;
      const T before = x[i - inner];
      if (op == Op::cumsum)
        x[i] = plus(before, x[i]);
      else if (!beats(x[i], before, true))
        x[i] = before;
    }
  });
  normalize(wide, result.data.get(), result.size());
  return convert(result, dtype);
}

}  // namespace pallasgen::interpreter
