// Device functions that the specs beside this file call: generated files include it.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

// x times the logistic function of beta x.
__host__ __device__ inline float swish(float x, float beta) { return x / (1.0f + expf(-beta * x)); }

// x / (1 + |x|), of each dtype by itself.
__device__ inline float squash(float x) { return x / (1.0f + fabsf(x)); }
__device__ inline __nv_bfloat16 squash(__nv_bfloat16 x) { return __float2bfloat16(squash(__bfloat162float(x))); }

// x without its part up to `by` in either direction, as the proximal step of an l1 penalty has it.
template <class T>
__device__ T shrink(T x, T by) {
  return x > by ? x - by : x < -by ? x + by : T(0);
}

// How many of eight thresholds, 0.25 apart, the magnitude reaches.
__device__ inline int32_t level(float x) { return static_cast<int32_t>(fminf(fabsf(x) * 4.0f, 8.0f)); }
