#include <cuda_bf16.h>

#include "timing.h"

namespace pallasgen {

namespace {

template <class T>
__global__ void noise_kernel(T* array, size_t elements, uint32_t seed) {
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < elements; i += size_t{gridDim.x} * blockDim.x) {
    uint32_t x = static_cast<uint32_t>(i) * 0x9e3779b9u + seed;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    array[i] = static_cast<T>(static_cast<float>(static_cast<int32_t>(x ^ x >> 16)) * 4.656612873e-10f);
  }
}

}  // namespace

void fill_with_noise(void* array, size_t bytes, bool is_bf16, uint32_t seed) {
  if (is_bf16)
    noise_kernel<<<1024, 256>>>(static_cast<__nv_bfloat16*>(array), bytes / 2, seed);
  else
    noise_kernel<<<1024, 256>>>(static_cast<float*>(array), bytes / 4, seed);
}

}  // namespace pallasgen
