#pragma once
#include <cstdint>

namespace pallasgen::emulator {

/// d (64 x n, row-major) = or += A * B, with a[i * 64 + row] and b[i * n + column], i from 0 to k - 1. Each element of
/// d gets its products added one after the other, i ascending. Products of two 16-bit, 8-bit or tf32 numbers are exact
/// in f32 (but for underflow), and nothing is fused or reordered, so the bits are the same on every machine. The tensor
/// core itself adds in another order and with other rounding.
void multiply(float* d, const float* a, const float* b, int n, int k, bool accumulate);

/// The same for integers of either sign; sums wrap around.
void multiply(uint32_t* d, const uint32_t* a, const uint32_t* b, int n, int k, bool accumulate);

}  // namespace pallasgen::emulator
