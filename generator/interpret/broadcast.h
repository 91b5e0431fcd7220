#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "value.h"

namespace pallasgen::interpreter {

// NumPy broadcasting: shapes aligned at the right, 1 stretches. The shapes must fit together (checked before).
Shape broadcast_shape(const Shape& a, const Shape& b);
// The value stretched to `shape`; shares its elements when there is nothing to stretch.
Value broadcast(const Value& value, const Shape& shape);

// How to walk a result of some shape together with operands that broadcast to it: rows of `row` elements, along which
// an operand's element either moves on by one or stays. Neighbouring dims are merged where every operand allows it.
class BroadcastWalk {
 public:
  static constexpr int kMaxOperands = 3;
  BroadcastWalk(const Shape& result, std::initializer_list<const Value*> operands);

  // Calls row(result offset, operand offsets, operand steps (0 or 1), elements) for every row, in order.
  template <class Row>
  void for_each_row(Row&& row) const {
    if (row_ == 0) return;
    Offsets offsets{};
    std::vector<int64_t> counter(outer_.size(), 0);
    for (int64_t result = 0;; result += row_) {
      row(result, offsets, steps_, row_);
      size_t dim = outer_.size();
      while (dim > 0) {
        const Dim& d = outer_[--dim];
        for (int i = 0; i < kMaxOperands; ++i) offsets[i] += d.strides[i];
        if (++counter[dim] < d.extent) break;
        for (int i = 0; i < kMaxOperands; ++i) offsets[i] -= d.strides[i] * d.extent;
        counter[dim] = 0;
        if (dim == 0) return;
      }
      if (outer_.empty()) return;
    }
  }

  using Offsets = std::array<int64_t, kMaxOperands>;

 private:
  struct Dim {
    int64_t extent;
    Offsets strides;
  };
  std::vector<Dim> outer_;
  Offsets steps_{};
  int64_t row_ = 0;
};

// result[i] = f(a[i]) and so on for 1 to 3 operands, in rows; loops over contiguous rows are left plain, so that the
// compiler can vectorize them.
template <class R, class A, class F>
void map_rows(Value& result, const Value& a, F f) {
  R* out = result.edit<R>();
  const A* x = a.as<A>();
  const int64_t count = result.size();
  if (a.size() == count) {
    for (int64_t i = 0; i < count; ++i) out[i] = f(x[i]);
    return;
  }
  BroadcastWalk(result.shape, {&a}).for_each_row([&](int64_t at, const auto& offset, const auto& step, int64_t n) {
    for (int64_t i = 0; i < n; ++i) out[at + i] = f(x[offset[0] + i * step[0]]);
  });
}

template <class R, class A, class B, class F>
void map_rows(Value& result, const Value& a, const Value& b, F f) {
  R* out = result.edit<R>();
  const A* x = a.as<A>();
  const B* y = b.as<B>();
  BroadcastWalk(result.shape, {&a, &b}).for_each_row([&](int64_t at, const auto& offset, const auto& step, int64_t n) {
    R* to = out + at;
    const A* p = x + offset[0];
    const B* q = y + offset[1];
    if (step[0] && step[1]) {
      for (int64_t i = 0; i < n; ++i) to[i] = f(p[i], q[i]);
    } else if (step[0]) {
      const B right = *q;
      for (int64_t i = 0; i < n; ++i) to[i] = f(p[i], right);
    } else {
      for (int64_t i = 0; i < n; ++i) to[i] = f(*p, q[i * step[1]]);
    }
  });
}

template <class R, class A, class B, class C, class F>
void map_rows(Value& result, const Value& a, const Value& b, const Value& c, F f) {
  R* out = result.edit<R>();
  const A* x = a.as<A>();
  const B* y = b.as<B>();
  const C* z = c.as<C>();
  BroadcastWalk(result.shape, {&a, &b, &c})
      .for_each_row([&](int64_t at, const auto& offset, const auto& step, int64_t n) {
        R* to = out + at;
        const A* p = x + offset[0];
        const B* q = y + offset[1];
        const C* r = z + offset[2];
        if (step[0] && step[1] && step[2]) {
          for (int64_t i = 0; i < n; ++i) to[i] = f(p[i], q[i], r[i]);
        } else {
          for (int64_t i = 0; i < n; ++i) to[i] = f(p[i * step[0]], q[i * step[1]], r[i * step[2]]);
        }
      });
}

}  // namespace pallasgen::interpreter
