// Messages between CTAs that run at the same time, by release and acquire and by fences, which can make one planted
// mistake: planted_order NAME. Exits as planted does.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdio>
#include <pallasgen/atomic.cuh>
#include <pallasgen/device.cuh>
#include <vector>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr int kCtas = 3, kThreads = 64;
using Order = MemoryOrder;
using Scope = MemoryScope;

// Memory that the CTAs share. `plain` is written by plain stores, `strong` by relaxed ones.
struct alignas(8) Shared {
  uint32_t flag, fenced_flag, count, steps;
  float plain[kThreads], strong[kThreads], fenced[kThreads];
};

template <class T, class U>
__device__ void store_flag(Bug bug, T* flag, U value) {
  if (bug == Bug::kReleaseDropped)
    store_ordered<Order::kRelaxed>(flag, T(value));
  else if (bug == Bug::kScopeOfRelease)
    store_ordered<Order::kRelease, Scope::kCta>(flag, T(value));
  else if (bug == Bug::kFlagOfTwoSizes)
    store_ordered<Order::kRelease>(reinterpret_cast<uint64_t*>(flag), static_cast<uint64_t>(value));
  else
    store_ordered<Order::kRelease>(flag, T(value));
}

__device__ uint32_t load_flag(Bug bug, const uint32_t* flag) {
  if (bug == Bug::kAcquireDropped) return load_ordered<Order::kRelaxed>(flag);
  if (bug == Bug::kScopeOfAcquire) return load_ordered<Order::kAcquire, Scope::kCta>(flag);
  return load_ordered<Order::kAcquire>(flag);
}

// CTA 0 writes, the others wait for its flag and read.
__device__ void by_release(Shared& shared, float* out, Bug bug) {
  const int cta = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
  if (cta == 0) {
    if (bug == Bug::kFlagBeforeData && t == 0) store_flag(bug, &shared.flag, 1);
    shared.plain[t] = static_cast<float>(1 + t);
    store_ordered<Order::kRelaxed>(&shared.strong[t], static_cast<float>(100 + t));
    __syncthreads();
    if (bug != Bug::kFlagBeforeData && t == 0) store_flag(bug, &shared.flag, 1);
  } else {
    if (t == 0)
      while (load_flag(bug, &shared.flag) == 0) {
      }
    __syncthreads();
    out[cta * kThreads + t] = load_ordered<Order::kRelaxed>(&shared.strong[t]);
    out[cta * kThreads + t] += shared.plain[t];
  }
}

// The same by relaxed accesses with fences.
__device__ void by_fences(Shared& shared, float* out, Bug bug) {
  const int cta = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
  if (cta == 0) {
    shared.fenced[t] = static_cast<float>(1000 * t);
    __syncthreads();
    if (t == 0) {
      if (bug == Bug::kFenceOfBlock)
        __threadfence_block();
      else if (bug != Bug::kFenceDropped)
        __threadfence();
      store_ordered<Order::kRelaxed>(&shared.fenced_flag, 1u);
    }
  } else {
    if (t == 0) {
      while (load_ordered<Order::kRelaxed>(&shared.fenced_flag) == 0) {
      }
      if (bug != Bug::kFenceOfReaderDropped) ptx::fence_acq_rel<Scope::kDevice>();
    }
    __syncthreads();
    out[cta * kThreads + t] += shared.fenced[t];
  }
}

__global__ __launch_bounds__(kThreads, 1) void message_kernel(Shared* shared, float* out, Bug bug) {
  by_release(*shared, out, bug);
  by_fences(*shared, out, bug);
  if (bug == Bug::kScopeOfUpdate)
    atomicAdd_block(&shared->count, 1u);
  else
    atomicAdd(&shared->count, 1u);
  if (bug == Bug::kUpdateInTwoSteps)
    store_ordered<Order::kRelaxed>(&shared->steps, load_ordered<Order::kRelaxed>(&shared->steps) + 1);
  else
    atomic_add(in_global(&shared->steps), 1u);
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  constexpr size_t size = size_t{kCtas} * kThreads;
  Shared* shared = nullptr;
  float* out = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&shared), sizeof(Shared));
  cudaMalloc(reinterpret_cast<void**>(&out), size * sizeof(float));
  cudaMemset(shared, 0, sizeof(Shared));
  cudaMemset(out, 0, size * sizeof(float));
  if (launch(message_kernel, Grid(kCtas).cooperative(), kThreads, 0, nullptr, shared, out, bug) != cudaSuccess) {
    std::printf("launch failed: %s\n", last_error());
    return 2;
  }
  Shared after;
  std::vector<float> got(size);
  cudaMemcpy(&after, shared, sizeof after, cudaMemcpyDeviceToHost);
  cudaMemcpy(got.data(), out, size * sizeof(float), cudaMemcpyDeviceToHost);
  long wrong = (after.count != size) + (after.steps != size);
  for (size_t i = kThreads; i < size; ++i) {
    const size_t t = i % kThreads;
    wrong += got[i] != static_cast<float>(1 + t + 100 + t + 1000 * t);
  }
  std::printf("%ld wrong\n", wrong);
  return wrong != 0;
}
