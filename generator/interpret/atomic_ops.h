#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "check/kernel.h"

namespace pallasgen::interpreter {

// compare_exchange compares representations: NaN equals itself, 0 differs from -0.
template <class T>
bool same_bits(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == sizeof(uint32_t), uint32_t, uint64_t>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
  } else {
    return a == b;
  }
}

// What an atomic leaves in memory. Integers wrap; max and min of floats propagate NaN as maximum and minimum do.
template <class T>
T combined(AtomicOp op, T before, T value, T compare) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    if (op == AtomicOp::add) return static_cast<T>(static_cast<U>(before) + static_cast<U>(value));
    if (op == AtomicOp::bit_and) return static_cast<T>(before & value);
    if (op == AtomicOp::bit_or) return static_cast<T>(before | value);
    if (op == AtomicOp::bit_xor) return static_cast<T>(before ^ value);
  }
  const bool nan = before != before;
  switch (op) {
    case AtomicOp::add:
      return static_cast<T>(before + value);
    case AtomicOp::max:
      return nan || before > value ? before : value;
    case AtomicOp::min:
      return nan || before < value ? before : value;
    case AtomicOp::compare_exchange:
      return same_bits(before, compare) ? value : before;
    default:
      return value;
  }
}

}  // namespace pallasgen::interpreter
