#pragma once
#include <pallasgen/types.h>

#include <pallasgen/ptx/math.cuh>

// Functions of a spec with `math: {approx: true}`: the special function unit's ex2, tanh, rcp and rsqrt replace the
// exact functions, or those that they are made of. They flush subnormals to 0. docs/language.md states the error
// bounds.
namespace pallasgen {

// 2^x.
__device__ __forceinline__ float fast_exp2(float x) { return ptx::ex2_approx(x); }

// e^x; the rounding of the product alone loses as many bits as |x| has before its point.
__device__ __forceinline__ float fast_exp(float x) { return ptx::ex2_approx(x * 1.44269504f); }

__device__ __forceinline__ float fast_tanh(float x) { return ptx::tanh_approx(x); }

__device__ __forceinline__ float fast_divide(float a, float b) { return a * ptx::rcp_approx(b); }

__device__ __forceinline__ float fast_rsqrt(float x) { return ptx::rsqrt_approx(x); }

// 1 / (1 + e^-x).
__device__ __forceinline__ float fast_logistic(float x) { return ptx::rcp_approx(1.0f + fast_exp(-x)); }

// erf(x), to 2^-21: 1 - 2^p(|x|) with the sign of x. p is log2 of 1 - erf, fitted on [0, 4.24] so that 2^p is wrong by
// at most 2^-23; beyond that range 1 is the nearest number. There is no branch; NaN stays.
__device__ __forceinline__ float fast_erf(float x) {
  const float t = ptx::min_nan(fabsf(x), 4.24f);
  float p = 1.00211742e-4f;
  p = fmaf(p, t, -4.6152214e-4f);
  p = fmaf(p, t, -2.30234116e-3f);
  p = fmaf(p, t, 2.94526126e-2f);
  p = fmaf(p, t, -0.14896372f);
  p = fmaf(p, t, -0.91832864f);
  p = fmaf(p, t, -1.62791371f);
  return copysignf(1.0f - ptx::ex2_approx(p * t), x);
}

}  // namespace pallasgen
