#pragma once
#include <pallasgen/types.h>

#include <pallasgen/ptx/math.cuh>

// What a spec with `math: {approx: true}` computes: the special function unit's ex2, tanh and rcp in place of the exact
// functions. They flush subnormals to 0. docs/language.md states the error bounds.
namespace pallasgen {

// 2^x.
__device__ __forceinline__ float fast_exp2(float x) { return ptx::ex2_approx(x); }

// e^x; the product alone loses as many bits as |x| has before its point.
__device__ __forceinline__ float fast_exp(float x) { return ptx::ex2_approx(x * 1.44269504f); }

__device__ __forceinline__ float fast_tanh(float x) { return ptx::tanh_approx(x); }

__device__ __forceinline__ float fast_divide(float a, float b) { return a * ptx::rcp_approx(b); }

// 1 / (1 + e^-x).
__device__ __forceinline__ float fast_logistic(float x) { return ptx::rcp_approx(1.0f + fast_exp(-x)); }

}  // namespace pallasgen
