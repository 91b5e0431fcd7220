#include "operand.h"

#include <cuda_fp16.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace pallasgen::emulator {
namespace {

float widen_bf16(uint16_t x) {
  const uint32_t bits = static_cast<uint32_t>(x) << 16;
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

float widen_f16(uint16_t x) {
  // The exponent is off by 112; the product corrects it, subnormals too; infinities and NaNs are separate.
  const uint32_t magnitude = static_cast<uint32_t>(x & 0x7fff) << 13;
  float f;
  std::memcpy(&f, &magnitude, sizeof f);
  f *= 0x1p112f;
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  bits |= magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
  bits |= static_cast<uint32_t>(x & 0x8000) << 16;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

/// Widens 8-bit numbers of these exponent and mantissa bits; e4m3 has no infinity and one NaN of each sign.
float widen_f8(uint8_t x, OperandType type) {
  const bool e4m3 = type == OperandType::kE4m3;
  const int mantissa_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const int exponent = (x & 0x7f) >> mantissa_bits, mantissa = x & ((1 << mantissa_bits) - 1);
  const int top = (0x7f >> mantissa_bits);
  float magnitude;
  if (e4m3 ? (x & 0x7f) == 0x7f : exponent == top && mantissa != 0)
    magnitude = std::numeric_limits<float>::quiet_NaN();
  else if (!e4m3 && exponent == top)
    magnitude = std::numeric_limits<float>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(static_cast<float>(mantissa), 1 - bias - mantissa_bits);
  else
    magnitude = std::ldexp(static_cast<float>(mantissa | 1 << mantissa_bits), exponent - bias - mantissa_bits);
  return (x & 0x80) != 0 ? -magnitude : magnitude;
}

std::array<float, 256> table_of(OperandType type) {
  std::array<float, 256> table;
  for (size_t x = 0; x < table.size(); ++x) table[x] = widen_f8(static_cast<uint8_t>(x), type);
  return table;
}

float cut_tf32(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits &= ~0x1fffu;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace

void widen(OperandType type, const void* from, float* to, int count) {
  static const std::array<float, 256> e4m3 = table_of(OperandType::kE4m3), e5m2 = table_of(OperandType::kE5m2);
  const auto* bytes = static_cast<const uint8_t*>(from);
  const auto* halves = static_cast<const uint16_t*>(from);
  switch (type) {
    case OperandType::kBf16:
      for (int i = 0; i < count; ++i) to[i] = widen_bf16(halves[i]);
      break;
    case OperandType::kF16:
      for (int i = 0; i < count; ++i) to[i] = widen_f16(halves[i]);
      break;
    case OperandType::kTf32:
      for (int i = 0; i < count; ++i) to[i] = cut_tf32(static_cast<const float*>(from)[i]);
      break;
    default: {
      const std::array<float, 256>& table = type == OperandType::kE4m3 ? e4m3 : e5m2;
      for (int i = 0; i < count; ++i) to[i] = table[bytes[i]];
    }
  }
}

void widen(OperandType type, const void* from, uint32_t* to, int count) {
  if (type == OperandType::kS8)
    for (int i = 0; i < count; ++i) to[i] = static_cast<uint32_t>(static_cast<const int8_t*>(from)[i]);
  else
    for (int i = 0; i < count; ++i) to[i] = static_cast<const uint8_t*>(from)[i];
}

uint16_t f16_bits(float x) {
  const __half h = __float2half_rn(x);
  uint16_t bits;
  std::memcpy(&bits, &h, sizeof bits);
  return bits;
}

float f16_value(uint16_t bits) { return widen_f16(bits); }

float rounded_to_f16(float x) { return widen_f16(f16_bits(x)); }

}  // namespace pallasgen::emulator
