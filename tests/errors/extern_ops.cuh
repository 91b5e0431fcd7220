// Functions for bad specs of `extern`.
#pragma once

#include <cstdint>

#define SQUARE(x) ((x) * (x))

struct Pair {
  float first, second;
};
__device__ float last_result;
constexpr float upper_limit = 2.0f;

__host__ __device__ inline float swish(float x) { return x / (1.0f + expf(-x)); }
inline float on_host(float x) { return x * upper_limit; }
__global__ void whole_kernel(float x) {}

__device__ inline float blend(float x, float y, float part) { return x + part * (y - x); }
__device__ inline int32_t pick(const float& x, int32_t n) { return x > 0 ? n : 0; }
__device__ inline int32_t pick(float x, int32_t n) { return x < 0 ? n : 0; }
__device__ inline float wider(float x) { return x; }
__device__ inline double wider(double x) { return x; }
template <class T>
__device__ T same(T x, T y) {
  return x < y ? x : y;
}
template <class T>
__device__ T masked(T x) {
  return x & T(7);
}

__device__ inline Pair halves(float x) { return {x / 2, x / 2}; }
__device__ inline void nothing(float x) {}

__device__ inline float first_of(const float* x) { return x[0]; }
__device__ inline float taken(float& x) { return x *= 2; }
__device__ inline float kept(float x) { return last_result = x; }
__device__ inline float counted(float x) {
  static int calls = 0;
  return x + ++calls;
}
__device__ inline float of_thread(float x) { return x + threadIdx.x; }
__device__ inline float fenced(float x) {
  asm volatile("membar.gl;" ::: "memory");
  return x;
}
__device__ inline float told(float x) {
  printf("%f\n", x);
  return x;
}
__device__ float elsewhere(float x);
__device__ inline float through(float x) { return elsewhere(x); }
