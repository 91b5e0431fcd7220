#pragma once

namespace pallasgen::emulator {

/// d (64 x n, row-major) = or += A * B, with a[k * 64 + i] and b[k * n + j], 16 steps along k. Each element of d gets
/// its products added one after the other, k ascending. Products of two 16-bit floating-point numbers are exact in f32
/// (but for bf16 underflow), and nothing is fused or reordered, so the bits are the same on every machine. The tensor
/// core itself adds in another order and with other rounding.
void multiply(float* d, const float* a, const float* b, int n, bool accumulate);

}  // namespace pallasgen::emulator
