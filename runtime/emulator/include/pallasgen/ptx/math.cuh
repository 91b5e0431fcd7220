#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cmath>
#include <cstdint>

// The special function unit's approximations flush subnormals, but round as the library does here: kernels that use
// them are compared with a tolerance.
namespace pallasgen::ptx {

__device__ __forceinline__ float flush_subnormal(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

__device__ __forceinline__ float ex2_approx(float x) { return flush_subnormal(std::exp2(flush_subnormal(x))); }

__device__ __forceinline__ float tanh_approx(float x) { return std::tanh(x); }

__device__ __forceinline__ float rcp_approx(float x) { return flush_subnormal(1.0f / flush_subnormal(x)); }

__device__ __forceinline__ float lg2_approx(float x) { return std::log2(flush_subnormal(x)); }

__device__ __forceinline__ float rsqrt_approx(float x) { return 1.0f / std::sqrt(flush_subnormal(x)); }

}  // namespace pallasgen::ptx
