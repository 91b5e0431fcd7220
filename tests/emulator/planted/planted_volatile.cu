// A message between CTAs that run at the same time, by volatile accesses with fences, which can make one planted
// mistake: planted_volatile NAME. Exits as planted does. Only in ThreadSanitizer's mode do volatile loads yield to the
// threads that they wait for.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdio>
#include <pallasgen/device.cuh>
#include <vector>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr int kThreads = 64, kTurns = 3;

struct Shared {
  uint32_t flag, answer;
  float data[kThreads];
};

__device__ uint32_t poll(const uint32_t* word, uint32_t other) {
  uint32_t seen = other;
  while (seen == other) seen = *static_cast<const volatile uint32_t*>(word);
  return seen;
}

__device__ void say(uint32_t* word, uint32_t value) { *static_cast<volatile uint32_t*>(word) = value; }

// CTA 0 writes numbers and signals it, CTA 1 reads them and signals it.
__global__ __launch_bounds__(kThreads, 1) void turns_kernel(Shared* shared, float* out, Bug bug) {
  const int t = static_cast<int>(threadIdx.x);
  for (uint32_t turn = 1; turn <= kTurns; ++turn) {
    if (blockIdx.x == 0) {
      shared->data[t] = static_cast<float>(turn * 100 + threadIdx.x);
      __syncthreads();
      if (t == 0) {
        if (bug != Bug::kFenceDropped) __threadfence();
        say(&shared->flag, turn);
        poll(&shared->answer, turn - 1);
        __threadfence();
      }
      __syncthreads();
    } else {
      if (t == 0) {
        poll(&shared->flag, turn - 1);
        if (bug != Bug::kFenceOfReaderDropped) __threadfence();
      }
      __syncthreads();
      out[t] += shared->data[t];
      __syncthreads();
      if (t == 0) {
        __threadfence();
        say(&shared->answer, turn);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  Shared* shared = nullptr;
  float* out = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&shared), sizeof(Shared));
  cudaMalloc(reinterpret_cast<void**>(&out), kThreads * sizeof(float));
  cudaMemset(shared, 0, sizeof(Shared));
  cudaMemset(out, 0, kThreads * sizeof(float));
  if (launch(turns_kernel, Grid(2).cooperative(), kThreads, 0, nullptr, shared, out, bug) != cudaSuccess) return 2;
  std::vector<float> got(kThreads);
  cudaMemcpy(got.data(), out, kThreads * sizeof(float), cudaMemcpyDeviceToHost);
  long wrong = 0;
  for (int t = 0; t < kThreads; ++t) wrong += got[static_cast<size_t>(t)] != static_cast<float>(600 + kTurns * t);
  std::printf("%ld wrong\n", wrong);
  return wrong != 0;
}
