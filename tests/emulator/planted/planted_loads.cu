// A ring that TMA and bulk copies fill, whose stages threads read by ordinary loads, and which can make one planted
// mistake: planted_loads NAME. Exits as planted does.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdio>
#include <pallasgen/device.cuh>
#include <vector>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr int kStages = 2, kSteps = 7, kRows = 8, kColumns = 64;
constexpr int kConsumers = 64, kThreads = 32 + kConsumers;  // few, as ThreadSanitizer has 255 clocks at most
constexpr int kPart = kRows * kColumns / kConsumers;        // elements of a thread
constexpr uint32_t kStageBytes = (kRows * kColumns + kColumns) * sizeof(float);

struct alignas(128) Smem {
  float x[kStages][kRows * kColumns];
  float y[kStages][kColumns];
  Barrier full[kStages], empty[kStages];
};

// Writes what the copies read of y.
__device__ void fill(float* y, Bug bug) {
  for (int i = static_cast<int>(threadIdx.x); i < kSteps * kColumns; i += kThreads)
    y[i] = static_cast<float>(i % 7) - 3.0f;
  bug == Bug::kSharedFenceForGlobal ? fence_async_shared() : ptx::fence_proxy_async_global();
}

__device__ void producer(Smem& smem, const TensorMap& map_x, const float* y) {
  if (!elect_one()) return;
  Ring<kStages> ring;
  for (int k = 0; k < kSteps; ++k, ring.advance()) {
    const int s = ring.slot;
    smem.empty[s].wait(ring.phase ^ 1);
    smem.full[s].arrive_expect_tx(kStageBytes);
    tma_load(smem.x[s], map_x, {k * kRows, 0}, smem.full[s]);
    ptx::bulk_load(ptx::shared_address(smem.y[s]), y + k * kColumns, sizeof smem.y[s], smem.full[s].address());
  }
}

__device__ void consumer(Smem& smem, float* sums, Bug bug) {
  const int t = static_cast<int>(threadIdx.x) - 32;
  const bool leader = t == 0;
  float acc[kPart] = {};
  Ring<kStages> ring;
  for (int k = 0; k < kSteps; ++k, ring.advance()) {
    const int s = ring.slot;
    smem.full[s].wait(ring.phase);
    if (bug == Bug::kNoSyncBeforeRelease && leader) smem.empty[s].arrive();
    const float scale = smem.y[s][t % kColumns];
    if (bug == Bug::kFenceBeforeReads) fence_async_shared();
    for (int i = 0; i < kPart; ++i) acc[i] += scale * smem.x[s][t + i * kConsumers];
    const bool fences = bug != Bug::kNoFenceBeforeRelease && bug != Bug::kFenceBeforeReads &&
                        bug != Bug::kFenceAfterRelease && (bug != Bug::kFenceByLeader || leader);
    if (fences) bug == Bug::kFenceOfGlobal ? ptx::fence_proxy_async_global() : fence_async_shared();
    ptx::barrier_sync<1, kConsumers>();
    if (bug != Bug::kNoSyncBeforeRelease && leader) smem.empty[s].arrive();
    if (bug == Bug::kFenceAfterRelease) fence_async_shared();
  }
  for (int i = 0; i < kPart; ++i) sums[t + i * kConsumers] = acc[i];
}

__global__ __launch_bounds__(kThreads, 1) void loads_kernel(const __grid_constant__ TensorMap map_x, float* y,
                                                            float* sums, Bug bug) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      smem.full[s].init(1, "full");
      smem.empty[s].init(1, "empty");
    }
    if (bug == Bug::kGlobalFenceAfterInit)
      ptx::fence_proxy_async_global();
    else if (bug == Bug::kProxyFenceAfterInit)
      fence_async_shared();  // equally right: only this CTA uses the barriers
    else
      fence_barrier_init();
  }
  fill(y, bug);
  __syncthreads();
  if (threadIdx.x < 32)
    producer(smem, map_x, y);
  else
    consumer(smem, sums, bug);
}

float* device_array(const std::vector<float>& values) {
  float* p = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&p), values.size() * sizeof(float));
  cudaMemcpy(p, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return p;
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  std::vector<float> x(kSteps * kRows * kColumns), y(kSteps * kColumns), wanted(kRows * kColumns), got(wanted.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 13) - 6.0f;
  for (size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(i % 7) - 3.0f;
  for (size_t k = 0; k < kSteps; ++k)
    for (size_t i = 0; i < wanted.size(); ++i) wanted[i] += x[k * wanted.size() + i] * y[k * kColumns + i % kColumns];
  const float* dx = device_array(x);
  float *dy = device_array(std::vector<float>(y.size())), *sums = device_array(got);
  TensorMaps maps("loads");
  const TensorMap map = maps.add("x", dx, {kSteps * kRows, kColumns}, {kRows, kColumns}, Swizzle::kNone);
  if (!maps.ok() || launch(loads_kernel, Grid(1), kThreads, sizeof(Smem), nullptr, map, dy, sums, bug) != cudaSuccess) {
    std::printf("launch failed: %s\n", last_error());
    return 2;
  }
  cudaMemcpy(got.data(), sums, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  long wrong = 0;
  for (size_t i = 0; i < got.size(); ++i) wrong += !(got[i] == wanted[i]);
  std::printf("%ld wrong\n", wrong);
  return wrong != 0;
}
