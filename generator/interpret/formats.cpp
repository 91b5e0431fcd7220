#include "formats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "diagnostics/assert.h"

namespace pallasgen::interpreter {
namespace {

// OCP 8-bit and FP4 formats as in "OCP 8-bit Floating Point Specification" 1.0 and "OCP Microscaling Formats" 1.0;
// f16 is IEEE 754 binary16, bf16 the upper half of binary32.
struct Format {
  int exponent_bits, mantissa_bits, bias;
  double largest;
  bool infinity, saturates, nan;
  uint32_t nan_bits;
};

Format format_of(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return {5, 10, 15, 65504, true, false, true, 0x7e00};
    case DType::bf16:
      return {8, 7, 127, 0x1.fep127, true, false, true, 0x7fc0};
    case DType::f8e4m3:
      return {4, 3, 7, 448, false, true, true, 0x7f};
    case DType::f8e5m2:
      return {5, 2, 15, 57344, true, true, true, 0x7e};
    case DType::f4e2m1:
      return {2, 1, 1, 6, false, true, false, 0};
    default:
      PALLASGEN_ASSERT(false && "a float dtype of 16 bits or less");
      return {};
  }
}

double round_to_power(double value) {
  if (std::isnan(value) || value < 0) return std::numeric_limits<double>::quiet_NaN();
  if (value <= 0x1p-127) return 0x1p-127;
  if (value >= 0x1p127) return 0x1p127;
  int exponent;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  return std::ldexp(fraction >= 0.75 ? 1.0 : 0.5, exponent);
}

float decode(uint32_t bits, const Format& format) {
  const uint32_t mantissa_mask = (1u << format.mantissa_bits) - 1, exponent_mask = (1u << format.exponent_bits) - 1;
  const uint32_t mantissa = bits & mantissa_mask, exponent = (bits >> format.mantissa_bits) & exponent_mask;
  const double sign = (bits >> (format.mantissa_bits + format.exponent_bits)) & 1 ? -1.0 : 1.0;
  if (exponent == exponent_mask) {
    if (format.infinity) {
      return static_cast<float>(
          sign * (mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity()));
    }
    if (format.nan && mantissa == mantissa_mask) return std::numeric_limits<float>::quiet_NaN();
  }
  const int scale = static_cast<int>(exponent ? exponent : 1) - format.bias - format.mantissa_bits;
  const uint32_t digits = exponent ? mantissa | (mantissa_mask + 1) : mantissa;
  return static_cast<float>(sign * std::ldexp(static_cast<double>(digits), scale));
}

uint32_t encode(float value, const Format& format) {
  const uint32_t sign = std::signbit(value) ? 1u << (format.exponent_bits + format.mantissa_bits) : 0;
  const uint32_t exponent_mask = (1u << format.exponent_bits) - 1;
  if (std::isnan(value)) return format.nan_bits;
  if (std::isinf(value)) return sign | exponent_mask << format.mantissa_bits;
  const double magnitude = std::fabs(static_cast<double>(value));
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), 1 - format.bias);
  const auto digits = static_cast<uint32_t>(std::ldexp(magnitude, format.mantissa_bits - exponent));
  // A subnormal has no implicit digit, so adding it to the exponent field 1 gives the field 0.
  return sign | (digits + (static_cast<uint32_t>(exponent + format.bias - 1) << format.mantissa_bits));
}

std::array<float, 65536> make_f16_table() {
  std::array<float, 65536> table{};
  const Format format = format_of(DType::f16);
  for (uint32_t bits = 0; bits < table.size(); ++bits) table[bits] = decode(bits, format);
  return table;
}

double sticky(uint64_t magnitude) {
  const int excess = 64 - std::countl_zero(magnitude) - 53;
  if (excess <= 0) return static_cast<double>(magnitude);
  const uint64_t lost = magnitude & ((uint64_t{1} << excess) - 1);
  return std::ldexp(static_cast<double>((magnitude >> excess) | (lost ? 1 : 0)), excess);
}

}  // namespace

float round_to_bf16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return value;
  return std::bit_cast<float>((bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000);
}

float round_to_f16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return value;
  if (magnitude < 0x38800000) {  // below 2^-14: units of 2^-24; adding 0.5 makes that the unit of the sum
    const float rounded = (std::bit_cast<float>(magnitude) + 0.5f) - 0.5f;
    return std::copysign(rounded, value);
  }
  const uint32_t rounded = (magnitude + 0xfff + ((magnitude >> 13) & 1)) & ~0x1fffu;
  return std::bit_cast<float>((bits & 0x80000000) | (rounded >= 0x47800000 ? 0x7f800000 : rounded));
}

double round_to(double value, DType dtype) {
  if (dtype == DType::f64 || dtype == DType::literal) return value;
  if (dtype == DType::f32) return static_cast<double>(static_cast<float>(value));
  if (dtype == DType::f8e8m0) return round_to_power(value);
  const Format format = format_of(dtype);
  if (std::isnan(value)) return format.nan ? value : format.largest;
  if (value == 0) return value;
  double magnitude = std::fabs(value);
  if (!std::isinf(magnitude)) {
    const int unit = std::max(std::ilogb(magnitude), 1 - format.bias) - format.mantissa_bits;
    // Scaling by a power of two is exact: the magnitude is either normal after it or far below half a unit.
    magnitude = std::ldexp(std::nearbyint(std::ldexp(magnitude, -unit)), unit);
  }
  if (magnitude > format.largest) {
    magnitude = format.saturates ? format.largest : std::numeric_limits<double>::infinity();
  }
  return std::copysign(magnitude, value);
}

double sticky_double(uint64_t value) { return sticky(value); }

double sticky_double(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return value < 0 ? -sticky(~bits + 1) : sticky(bits);
}

float decode_float(uint32_t bits, DType dtype) {
  static const std::array<float, 65536> f16_table = make_f16_table();
  switch (dtype) {
    case DType::f16:
      return f16_table[bits & 0xffff];
    case DType::bf16:
      return std::bit_cast<float>(bits << 16);
    case DType::f8e8m0:
      return bits == 0xff ? std::numeric_limits<float>::quiet_NaN()
                          : static_cast<float>(std::ldexp(1.0, static_cast<int>(bits) - 127));
    default:
      return decode(bits, format_of(dtype));
  }
}

uint32_t encode_float(float value, DType dtype) {
  if (dtype == DType::bf16 && !std::isnan(value)) return std::bit_cast<uint32_t>(value) >> 16;
  if (dtype == DType::f16 && std::isfinite(value) && std::fabs(value) >= 0x1p-14f) {
    const auto bits = std::bit_cast<uint32_t>(value);
    return (bits >> 16 & 0x8000) | ((bits & 0x7fffffff) - 0x38000000) >> 13;
  }
  if (dtype == DType::f8e8m0) {
    return std::isnan(value) ? 0xff : static_cast<uint32_t>(std::ilogb(value) + 127);
  }
  return encode(value, format_of(dtype));
}

double undefined_float(DType dtype) { return dtype == DType::f4e2m1 ? -6.0 : std::numeric_limits<double>::quiet_NaN(); }

int64_t undefined_integer(DType dtype) {
  if (dtype == DType::index) return std::numeric_limits<int64_t>::min();
  const DTypeInfo& row = info(dtype);
  if (!row.is_integer || !row.is_signed) return 0;
  return static_cast<int64_t>(~uint64_t{0} << (row.bits - 1));
}

}  // namespace pallasgen::interpreter
