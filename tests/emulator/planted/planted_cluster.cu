// Clusters of 4 CTAs that share rows by multicast and can make one planted mistake: planted_cluster NAME. Exits as
// planted does.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdio>
#include <pallasgen/device.cuh>
#include <pallasgen/ptx/sreg.cuh>
#include <vector>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr int kCluster = 4, kClusters = 2, kLaps = 7, kColumns = 64;

struct alignas(1024) Smem {
  float part[2][kCluster][kColumns];
  Barrier full[2], free[2];
  uint32_t handed;  // by the previous CTA
  Barrier arrived;
};

__global__ __launch_bounds__(kColumns, 1) void cluster_kernel(const __grid_constant__ TensorMap map, float* out,
                                                              Bug bug) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const uint32_t rank = ptx::cluster_ctarank();
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; ++s) {
      smem.full[s].init(1, "full");
      smem.free[s].init(kCluster, "free");
    }
    smem.arrived.init(1, "arrived");
    fence_barrier_init();
  }
  if (bug != Bug::kNoClusterSync) {
    // After the fence of the barriers nothing else needs a release.
    bug == Bug::kRelaxedArrival ? ptx::cluster_arrive_relaxed() : ptx::cluster_arrive_release();
    ptx::cluster_wait_acquire();
  }
  // The next CTA gets this one's rank.
  if (threadIdx.x == 0) {
    smem.arrived.arrive_expect_tx(sizeof smem.handed);
    const uint32_t next = (rank + 1) % kCluster;
    ptx::store_async_b32(ptx::mapa(ptx::shared_address(&smem.handed), next), rank,
                         ptx::mapa(smem.arrived.address(), next));
  }
  bug == Bug::kAcquireOfCta ? smem.arrived.wait(0) : smem.arrived.wait_cluster(0);
  float sum = smem.handed == (rank + kCluster - 1) % kCluster ? 0.0f : 1.0f;
  Ring<2> ring;
  for (int lap = 0; lap < kLaps; ++lap, ring.advance()) {
    const int s = ring.slot;
    if (threadIdx.x == 0) {
      smem.free[s].wait_cluster(ring.phase ^ 1);
      smem.full[s].arrive_expect_tx(sizeof smem.part[s]);
      const int row = (static_cast<int>(blockIdx.x / kCluster) * kLaps + lap) * kCluster + static_cast<int>(rank);
      const uint16_t mask = bug == Bug::kWrongMask && rank == 1 ? 7 : 15;
      tma_load_multicast(smem.part[s][rank], map, {row, 0}, smem.full[s], mask);
    }
    if (bug == Bug::kNoLastWait && rank == 3 && lap == kLaps - 1) continue;
    smem.full[s].wait(ring.phase);
    for (int r = 0; r < kCluster; ++r) sum += smem.part[s][r][threadIdx.x] * static_cast<float>(r + 1);
    if (bug != Bug::kNoFenceBeforeRelease) fence_async_shared();  // the copies of a later iteration follow these reads
    __syncthreads();
    if (threadIdx.x < kCluster) smem.free[s].arrive_at(bug == Bug::kWrongRank && threadIdx.x == 2 ? 1 : threadIdx.x);
  }
  out[blockIdx.x * kColumns + threadIdx.x] = sum;
  if (bug == Bug::kExitBeforePeers) return;
  if (bug == Bug::kSleepBeforeExit) {
    for (int i = 0; i < 1000; ++i) __nanosleep(1000);  // usually long enough
    return;
  }
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  constexpr int rows = kLaps * kClusters * kCluster;
  std::vector<float> values(rows * kColumns), sums(kClusters * kCluster * kColumns);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 97);
  float *array, *out;
  cudaMalloc(reinterpret_cast<void**>(&array), values.size() * sizeof(float));
  cudaMalloc(reinterpret_cast<void**>(&out), sums.size() * sizeof(float));
  cudaMemcpy(array, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  TensorMaps maps("cluster");
  const TensorMap map = maps.add("array", array, {rows, kColumns}, {1, kColumns}, Swizzle::kNone);
  Grid grid(kClusters * kCluster);
  grid.cluster = kCluster;
  if (launch(cluster_kernel, grid, kColumns, sizeof(Smem), nullptr, map, out, bug) != cudaSuccess) return 2;
  cudaMemcpy(sums.data(), out, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(array);
  cudaFree(out);
  long wrong = 0;
  for (int cta = 0; cta < kClusters * kCluster; ++cta)
    for (int t = 0; t < kColumns; ++t) {
      float wanted = 0;
      for (int lap = 0; lap < kLaps; ++lap)
        for (int r = 0; r < kCluster; ++r)
          wanted += values[static_cast<size_t>(((cta / kCluster * kLaps + lap) * kCluster + r) * kColumns + t)] *
                    static_cast<float>(r + 1);
      wrong += sums[static_cast<size_t>(cta * kColumns + t)] != wanted;
    }
  std::printf("%ld wrong\n", wrong);
  return wrong != 0;
}
