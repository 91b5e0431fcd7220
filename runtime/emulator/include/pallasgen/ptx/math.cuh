#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>

// The special function unit's approximations flush subnormals. Their results here are as coarse as the PTX ISA allows,
// to exercise a test's tolerance: a unit in the last place for rcp, two for ex2, relative errors of 2^-22 for rsqrt and
// 2^-11 for tanh, and for lg2 2^-22, absolute for arguments in (0.5, 2).
namespace pallasgen::emulator {

inline float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

// x cut off to `kept` significant bits: a relative error below 2^(1 - kept).
inline float coarse(float x, int kept) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (std::isfinite(x)) bits &= ~uint32_t{0} << (24 - kept);
  memcpy(&x, &bits, sizeof x);
  return x;
}

// The float next to x on the side of 0: at most a unit in the last place off.
inline float cut_off(double x) {
  const auto nearest = static_cast<float>(x);
  return std::fabs(static_cast<double>(nearest)) > std::fabs(x) ? std::nextafter(nearest, 0.0f) : nearest;
}

}  // namespace pallasgen::emulator

namespace pallasgen::ptx {

__device__ __forceinline__ float max_nan(float a, float b) {
  if (a != a || b != b) return std::nanf("");
  return a > b || (a == b && std::signbit(b)) ? a : b;
}

__device__ __forceinline__ float min_nan(float a, float b) {
  if (a != a || b != b) return std::nanf("");
  return a < b || (a == b && std::signbit(a)) ? a : b;
}

__device__ __forceinline__ float cvt_rn_tf32(float x) {
  if (x != x) return std::nanf("");
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (std::isfinite(x)) bits = (bits + 0xfff + (bits >> 13 & 1)) & ~uint32_t{0x1fff};
  memcpy(&x, &bits, sizeof x);
  return x;
}

__device__ __forceinline__ uint32_t prmt(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = a | static_cast<uint64_t>(b) << 32;
  uint32_t r = 0;
  for (int i = 0; i < 4; ++i) r |= static_cast<uint32_t>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return r;
}

template <int Table>
__device__ __forceinline__ uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t r = 0;
  for (int bit = 0; bit < 32; ++bit)
    r |= static_cast<uint32_t>(Table >> ((a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1)) & 1) << bit;
  return r;
}

__device__ __forceinline__ float ex2_approx(float x) {
  return emulator::coarse(emulator::flushed(std::exp2(emulator::flushed(x))), 23);
}

__device__ __forceinline__ float tanh_approx(float x) { return emulator::coarse(std::tanh(x), 12); }

__device__ __forceinline__ float rcp_approx(float x) {
  return emulator::flushed(emulator::cut_off(1.0 / static_cast<double>(emulator::flushed(x))));
}

__device__ __forceinline__ float lg2_approx(float x) {
  const float y = std::log2(emulator::flushed(x));
  return x > 0.5f && x < 2.0f ? std::trunc(y * 0x1p22f) * 0x1p-22f : emulator::coarse(y, 23);
}

__device__ __forceinline__ float rsqrt_approx(float x) {
  return emulator::coarse(1.0f / std::sqrt(emulator::flushed(x)), 23);
}

}  // namespace pallasgen::ptx
