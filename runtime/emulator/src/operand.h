#pragma once
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::emulator {

/// Bytes of one element in shared memory and in registers.
constexpr int operand_bytes(OperandType type) {
  switch (type) {
    case OperandType::kBf16:
    case OperandType::kF16:
      return 2;
    case OperandType::kTf32:
      return 4;
    default:
      return 1;
  }
}

constexpr bool is_integer(OperandType type) { return type == OperandType::kS8 || type == OperandType::kU8; }

/// The exponent of the smallest normal number of a type of floats.
constexpr int least_exponent(OperandType type) {
  switch (type) {
    case OperandType::kF16:
    case OperandType::kE5m2:
      return -14;
    case OperandType::kE4m3:
      return -6;
    default:
      return -126;
  }
}

/// The values of floating-point numbers; tf32, whose low 13 bits the tensor core ignores, is cut to 19 bits.
void widen(OperandType type, const void* from, float* to, int count);
/// The values of integers, in two's complement.
void widen(OperandType type, const void* from, uint32_t* to, int count);

/// The f16 number nearest to `x` (ties to even) as f32, and its bits.
float rounded_to_f16(float x);
uint16_t f16_bits(float x);
float f16_value(uint16_t bits);

}  // namespace pallasgen::emulator
