// One word of shared memory that all warps of a CTA read before one of them overwrites it, with one possible planted
// mistake: planted_readers NAME. Exits as planted does.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdio>
#include <pallasgen/device.cuh>
#include <pallasgen/ptx/sync.cuh>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr int kWarps = 16, kThreads = 32 * kWarps;

struct alignas(16) Smem {
  int word;
};

__global__ __launch_bounds__(kThreads, 1) void readers_kernel(int* out, Bug bug) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int t = static_cast<int>(threadIdx.x), warp = t / 32;
  if (t == 0) smem.word = 1;
  __syncthreads();  // the word is written
  const bool arrives_early = bug == Bug::kOneReaderOfMany && warp == 1;
  if (arrives_early) ptx::barrier_arrive<1, kThreads>();
  const int read = smem.word;
  if (!arrives_early) ptx::barrier_sync<1, kThreads>();  // all have read the word
  if (t == 0) smem.word = 2;
  out[t] = read;
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  int* out = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&out), kThreads * sizeof(int));
  return launch(readers_kernel, 1, kThreads, sizeof(Smem), nullptr, out, bug) == cudaSuccess ? 0 : 2;
}
