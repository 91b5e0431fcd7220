#pragma once
#include <cstdint>

namespace pallasgen::emulator {

/// d (64 x n, row-major) = or += A * B, with a[i * 64 + row] and b[i * n + column], i from 0 to k - 1. Each element of
/// d gets its products added one after the other, i ascending. Products of two 16-bit, 8-bit or tf32 numbers are exact
/// in f32 (but for underflow), and nothing is fused or reordered, so the bits are the same on every machine. The tensor
/// core itself adds in another order and with other rounding.
void multiply(float* d, const float* a, const float* b, int n, int k, bool accumulate);

/// The same of 8-bit floats as wgmma on Hopper adds them, by what others measured and published (DeepSeek-V3 Technical
/// Report, 3.5.2): the k products and, with `accumulate`, the element of d are added at once. Each is exact, then cut
/// towards 0 to a multiple of 2^(e - 13), where 2^e is at most the largest of them in magnitude and more than half of
/// it: so 14 bits of the largest are kept, and as many fewer of the others as they are smaller. Their sum is cut to 14
/// bits likewise. What is infinite or NaN goes as in f32.
void multiply_f8(float* d, const float* a, const float* b, int n, int k, bool accumulate);
constexpr int kBitsOfF8Sums = 14;

/// The same as the first for integers of either sign; sums wrap around.
void multiply(uint32_t* d, const uint32_t* a, const uint32_t* b, int n, int k, bool accumulate);

}  // namespace pallasgen::emulator
