// Functions of extern_rows.yaml.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

__device__ inline float squash(float x) { return x / (1.0f + fabsf(x)); }
__device__ inline int32_t level(float x) { return static_cast<int32_t>(fminf(fabsf(x) * 4.0f, 8.0f)); }
__device__ inline __half halved(__half x) { return __float2half(0.5f * __half2float(x)); }
__device__ inline int64_t far(int64_t x, int8_t y) { return x * 3 + y; }
__device__ inline bool is_big(float x) { return fabsf(x) > 1.0f; }
