#include <pallasgen/emulator/instructions.h>

#include <array>
#include <cstring>

#include "current.h"
#include "operand.h"

// mma.sync (PTX ISA, "mma"): lanes meet, the last one reads the others' registers and writes their sums. Products are
// added to the accumulator one by one, k ascending; a sum in f16 is rounded once.
namespace pallasgen::emulator {
namespace {

constexpr int kN = 8, kMaxM = 16, kMaxBytes = 32;

/// A pointer to a lane's operands, as the words of an exchange.
template <class T>
LaneValue value_of(const T* brought) {
  static_assert(sizeof brought <= sizeof LaneValue{}.words);
  LaneValue value;
  std::memcpy(value.words, &brought, sizeof brought);
  return value;
}
template <class T>
const T& brought_by(const LaneValue& value) {
  const T* brought;
  std::memcpy(&brought, value.words, sizeof brought);
  return *brought;
}

/// Row and column of value v of a lane's sums.
struct Place {
  int row, column;
};
Place sum_place(int lane, int v) { return {lane / 4 + 8 * (v / 2), 2 * (lane % 4) + v % 2}; }

uint32_t sum_of(const MmaInstruction& i, int v) {
  uint32_t word;
  if (i.d_type != AccumulatorType::kF16) {
    std::memcpy(&word, static_cast<const char*>(i.d) + 4 * v, sizeof word);
    return word;
  }
  std::memcpy(&word, static_cast<const char*>(i.d) + 4 * (v / 2), sizeof word);
  const float x = f16_value(static_cast<uint16_t>(word >> 16 * (v % 2)));
  std::memcpy(&word, &x, sizeof word);
  return word;
}

void set_sum(const MmaInstruction& i, int v, uint32_t word) {
  if (i.d_type != AccumulatorType::kF16) {
    std::memcpy(static_cast<char*>(i.d) + 4 * v, &word, sizeof word);
    return;
  }
  float x;
  std::memcpy(&x, &word, sizeof x);
  const uint16_t half = f16_bits(x);
  std::memcpy(static_cast<char*>(i.d) + 2 * v, &half, sizeof half);
}

/// Value is float or uint32_t.
template <class Value>
void multiply_warp(const LaneValue (&values)[32], const MmaInstruction& shape) {
  const int size = operand_bytes(shape.a_type), bytes = shape.k * size, rows = shape.m / 8, chunks = bytes / 16;
  alignas(16) std::array<uint8_t, kMaxM * kMaxBytes> a_bits;
  alignas(16) std::array<uint8_t, kN * kMaxBytes> b_bits;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const auto& i = brought_by<MmaInstruction>(values[lane]);
    const int g = lane / 4, byte = 4 * (lane % 4);
    for (int r = 0; r < rows * chunks; ++r)
      std::memcpy(&a_bits[static_cast<size_t>((g + 8 * (r % rows)) * bytes + 16 * (r / rows) + byte)], &i.a[r], 4);
    for (int r = 0; r < chunks; ++r) std::memcpy(&b_bits[static_cast<size_t>(g * bytes + 16 * r + byte)], &i.b[r], 4);
  }
  std::array<Value, kMaxM * kMaxBytes> a;
  std::array<Value, kN * kMaxBytes> b;
  widen(shape.a_type, a_bits.data(), a.data(), shape.m * shape.k);
  widen(shape.b_type, b_bits.data(), b.data(), kN * shape.k);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const auto& i = brought_by<MmaInstruction>(values[lane]);
    for (int v = 0; v < 2 * rows; ++v) {
      const Place at = sum_place(lane, v);
      uint32_t word = sum_of(i, v);
      Value sum;
      std::memcpy(&sum, &word, sizeof sum);
      for (int k = 0; k < shape.k; ++k)
        sum += a[static_cast<size_t>(at.row * shape.k + k)] * b[static_cast<size_t>(at.column * shape.k + k)];
      std::memcpy(&word, &sum, sizeof word);
      set_sum(i, v, word);
    }
  }
}

void execute(Thread& last, LaneValue (&values)[32]) {
  const auto& shape = brought_by<MmaInstruction>(values[last.lane]);
  if (is_integer(shape.a_type))
    multiply_warp<uint32_t>(values, shape);
  else
    multiply_warp<float>(values, shape);
}

struct DoubleOperands {
  double* d;
  double a, b;
};

void execute_f64(Thread&, LaneValue (&values)[32]) {
  for (int lane = 0; lane < kWarpSize; ++lane)
    for (int v = 0; v < 2; ++v) {
      const Place at = sum_place(lane, v);
      double& sum = brought_by<DoubleOperands>(values[lane]).d[v];
      for (int k = 0; k < 4; ++k)
        sum += brought_by<DoubleOperands>(values[4 * at.row + k]).a *
               brought_by<DoubleOperands>(values[4 * at.column + k]).b;
    }
}

}  // namespace

void mma(const MmaInstruction& instruction) {
  Entry entry("mma");
  entry.thread.warp->exchanges.meet(entry.thread, 0xffffffffu, instruction.name, value_of(&instruction), execute);
}

void mma_f64(double* d, double a, double b) {
  Entry entry("mma");
  const DoubleOperands operands{d, a, b};
  entry.thread.warp->exchanges.meet(entry.thread, 0xffffffffu, "mma.m8n8k4.f64", value_of(&operands), execute_f64);
}

}  // namespace pallasgen::emulator
