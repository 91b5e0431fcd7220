#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdio>
#include <cstdlib>

#include "timing.h"

namespace pallasgen {

namespace {

template <class T>
__global__ void noise_kernel(T* array, size_t elements, uint32_t seed, float scale) {
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < elements; i += size_t{gridDim.x} * blockDim.x) {
    uint32_t x = static_cast<uint32_t>(i) * 0x9e3779b9u + seed;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    array[i] = static_cast<T>(static_cast<float>(static_cast<int32_t>(x ^ x >> 16)) * scale);
  }
}

template <class T>
void fill(void* array, size_t bytes, uint32_t seed, float largest = 1) {
  noise_kernel<<<1024, 256>>>(static_cast<T*>(array), bytes / sizeof(T), seed, largest * 0x1p-31f);
}

}  // namespace

void fill_with_noise(void* array, size_t bytes, const std::string& dtype, uint32_t seed) {
  if (dtype == "f32") return fill<float>(array, bytes, seed);
  if (dtype == "bf16") return fill<__nv_bfloat16>(array, bytes, seed);
  if (dtype == "f16") return fill<__half>(array, bytes, seed);
  if (dtype == "f8e4m3") return fill<__nv_fp8_e4m3>(array, bytes, seed);
  if (dtype == "f8e5m2") return fill<__nv_fp8_e5m2>(array, bytes, seed);
  if (dtype == "i8" || dtype == "i4") return fill<int8_t>(array, bytes, seed, 127);  // each byte has two
  if (dtype == "i32") return fill<int32_t>(array, bytes, seed, 256);  // places, and outside
  if (dtype == "bool") return fill<bool>(array, bytes, seed);
  std::printf("no noise of %s\n", dtype.c_str());
  std::exit(1);
}

}  // namespace pallasgen
