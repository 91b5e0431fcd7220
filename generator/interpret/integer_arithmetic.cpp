#include <bit>
#include <type_traits>

#include "broadcast.h"
#include "diagnostics/assert.h"
#include "elementwise_ops.h"
#include "formats.h"

namespace pallasgen::interpreter {
namespace {

// Arithmetic on the unsigned type of the carrier's width: wraps, and narrower dtypes are cut off afterwards.
template <class T>
using Bits = std::make_unsigned_t<T>;

template <class T>
T quotient(T a, T b, T undefined) {
  if (b == 0) return undefined;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(Bits<T>{0} - static_cast<Bits<T>>(a));
    const T whole = a / b;
    return whole - (a % b != 0 && (a < 0) != (b < 0));
  } else {
    return a / b;
  }
}

template <class T>
T remainder(T a, T b, T undefined) {
  if (b == 0) return undefined;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
    const T rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  } else {
    return a % b;
  }
}

// A shift of `width` bits or more (a negative amount counts as one) leaves zeros, or the sign.
template <class T>
T shift_left(T a, T by, int width) {
  if (by < T{0} || by >= static_cast<T>(width)) return 0;
  return static_cast<T>(static_cast<Bits<T>>(a) << by);
}

template <class T>
T shift_right(T a, T by, int width) {
  if (by < T{0} || by >= static_cast<T>(width)) return a < T{0} ? T(-1) : T(0);
  return static_cast<T>(a >> by);
}

// The exponent is not negative (checked before).
template <class T>
T raise(T base, T exponent) {
  Bits<T> result = 1;
  auto factor = static_cast<Bits<T>>(base);
  for (auto left = static_cast<Bits<T>>(exponent); left != 0; left >>= 1) {
    if (left & 1) result *= factor;
    factor *= factor;
  }
  return static_cast<T>(result);
}

template <class T>
T clamp(T x, T low, T high) {
  const T raised = x < low ? low : x;
  return high < raised ? high : raised;
}

template <class T>
void integer_unary(Op op, Value& result, const Value& a) {
  const auto run = [&](auto f) { map_rows<T, T>(result, a, f); };
  const int width = info(result.dtype).bits;
  // The bits of the dtype, without others that its carrier has.
  const auto own_bits = [=](T x) { return static_cast<uint64_t>(x) << (64 - width) >> (64 - width); };
  switch (op) {
    case Op::negate:
      return run([](T x) { return static_cast<T>(Bits<T>{0} - static_cast<Bits<T>>(x)); });
    case Op::invert:
      return run([](T x) { return static_cast<T>(~x); });
    case Op::abs:
      return run([](T x) { return x < T{0} ? static_cast<T>(Bits<T>{0} - static_cast<Bits<T>>(x)) : x; });
    case Op::sign:
      return run([](T x) { return static_cast<T>((x > T{0}) - (x < T{0})); });
    case Op::clz:
      return run([=](T x) { return static_cast<T>(width - std::bit_width(own_bits(x))); });
    case Op::popcount:
      return run([=](T x) { return static_cast<T>(std::popcount(own_bits(x))); });
    case Op::floor:
    case Op::ceil:
    case Op::round:
    case Op::trunc:
      return run([](T x) { return x; });
    default:
      PALLASGEN_ASSERT(false && "an elementwise operation of one integer");
  }
}

template <class T>
void integer_binary(Op op, Value& result, const Value& a, const Value& b) {
  using U = Bits<T>;
  const auto run = [&](auto f) { map_rows<T, T, T>(result, a, b, f); };
  const auto undefined = static_cast<T>(undefined_integer(result.dtype));
  const int width = info(result.dtype).bits;
  switch (op) {
    case Op::add:
      return run([](T x, T y) { return static_cast<T>(static_cast<U>(x) + static_cast<U>(y)); });
    case Op::subtract:
      return run([](T x, T y) { return static_cast<T>(static_cast<U>(x) - static_cast<U>(y)); });
    case Op::multiply:
      return run([](T x, T y) { return static_cast<T>(static_cast<U>(x) * static_cast<U>(y)); });
    case Op::floor_divide:
      return run([=](T x, T y) { return quotient(x, y, undefined); });
    case Op::modulo:
      return run([=](T x, T y) { return remainder(x, y, undefined); });
    case Op::cdiv:
      return run([=](T x, T y) {
        if (y == 0) return undefined;
        return static_cast<T>(static_cast<U>(quotient(x, y, undefined)) + (remainder(x, y, undefined) != 0));
      });
    case Op::power:
      return run([](T x, T y) { return raise(x, y); });
    case Op::shift_left:
      return run([=](T x, T y) { return shift_left(x, y, width); });
    case Op::shift_right:
      return run([=](T x, T y) { return shift_right(x, y, width); });
    case Op::bit_and:
      return run([](T x, T y) { return static_cast<T>(x & y); });
    case Op::bit_or:
      return run([](T x, T y) { return static_cast<T>(x | y); });
    case Op::bit_xor:
      return run([](T x, T y) { return static_cast<T>(x ^ y); });
    case Op::minimum:
      return run([](T x, T y) { return y < x ? y : x; });
    case Op::maximum:
      return run([](T x, T y) { return x < y ? y : x; });
    default:
      PALLASGEN_ASSERT(false && "an elementwise operation of two integers");
  }
}

template <class T>
void apply(Op op, Value& result, const std::vector<Value>& operands) {
  if (operands.size() == 1) return integer_unary<T>(op, result, operands[0]);
  if (operands.size() == 2) return integer_binary<T>(op, result, operands[0], operands[1]);
  PALLASGEN_ASSERT(op == Op::clamp || op == Op::fma);
  if (op == Op::clamp) {
    return map_rows<T, T, T, T>(result, operands[0], operands[1], operands[2],
                                [](T x, T low, T high) { return clamp(x, low, high); });
  }
  using U = Bits<T>;
  map_rows<T, T, T, T>(result, operands[0], operands[1], operands[2], [](T x, T y, T z) {
    return static_cast<T>(static_cast<U>(x) * static_cast<U>(y) + static_cast<U>(z));
  });
}

void apply_bool(Op op, Value& result, const std::vector<Value>& operands) {
  using B = uint8_t;
  if (op == Op::invert) return map_rows<B, B>(result, operands[0], [](B x) -> B { return !x; });
  const auto run = [&](auto f) { map_rows<B, B, B>(result, operands[0], operands[1], f); };
  switch (op) {
    case Op::bit_and:
    case Op::minimum:
      return run([](B x, B y) -> B { return x & y; });
    case Op::bit_or:
    case Op::maximum:
      return run([](B x, B y) -> B { return x | y; });
    case Op::bit_xor:
      return run([](B x, B y) -> B { return x ^ y; });
    default:
      PALLASGEN_ASSERT(false && "an elementwise operation on bool");
  }
}

}  // namespace

void integer_arithmetic(Op op, Value& result, const std::vector<Value>& operands) {
  switch (carrier_of(result.dtype)) {
    case Carrier::u8:
      return apply_bool(op, result, operands);
    case Carrier::i32:
      return apply<int32_t>(op, result, operands);
    case Carrier::u32:
      return apply<uint32_t>(op, result, operands);
    case Carrier::i64:
      return apply<int64_t>(op, result, operands);
    default:
      return apply<uint64_t>(op, result, operands);
  }
}

}  // namespace pallasgen::interpreter
