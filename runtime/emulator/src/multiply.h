#pragma once
#include <cstdint>

namespace pallasgen::emulator {

/// d (64 x n, row-major) = or += A * B, with a[i * 64 + row] and b[i * n + column], i from 0 to k - 1, for integers of
/// either sign; sums wrap around.
void multiply(uint32_t* d, const uint32_t* a, const uint32_t* b, int n, int k, bool accumulate);

/// The sums of wgmma on Hopper, found on an H100: the bits agree with those of `wgmma_sums.cu` for every type of
/// operands and sums, from the least subnormal to the largest number, infinities among them. One instruction adds the k
/// products and, with `accumulate`, the element of d at once. Each has an exponent: a product the sum of its factors',
/// where a subnormal has its type's least. With e the largest of them, each addend is cut towards 0 to a multiple of
/// 2^(e - unit_bits), and their sum, which is exact, to `result_bits` bits, also towards 0.
struct TensorCoreSums {
  int unit_bits;         // 25; 13 for 8-bit floats
  int result_bits;       // 24; 14 for 8-bit floats
  int least_a, least_b;  // exponents of the smallest normal numbers of the types
  bool to_odd;  // instead of the second cut: the last bit records whether bits are lost, for a later rounding to f16
};
/// The same for floats. If an addend is infinite or NaN, so is the sum.
void multiply(float* d, const float* a, const float* b, int n, int k, bool accumulate, const TensorCoreSums& how);

}  // namespace pallasgen::emulator
