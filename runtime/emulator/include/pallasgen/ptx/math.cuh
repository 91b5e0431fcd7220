#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

// The special function unit's approximations flush subnormals; here they round as the library does, so kernels that use
// them are compared with a tolerance.
namespace pallasgen::emulator {

inline float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

}  // namespace pallasgen::emulator

namespace pallasgen::ptx {

__device__ __forceinline__ float ex2_approx(float x) { return emulator::flushed(std::exp2(emulator::flushed(x))); }

__device__ __forceinline__ float tanh_approx(float x) { return std::tanh(x); }

__device__ __forceinline__ float rcp_approx(float x) { return emulator::flushed(1.0f / emulator::flushed(x)); }

__device__ __forceinline__ float lg2_approx(float x) { return std::log2(emulator::flushed(x)); }

__device__ __forceinline__ float rsqrt_approx(float x) { return 1.0f / std::sqrt(emulator::flushed(x)); }

}  // namespace pallasgen::ptx
