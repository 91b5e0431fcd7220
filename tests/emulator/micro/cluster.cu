// Clusters: ranks, mapa, arrivals on other CTAs' barriers, multicast, the barrier of the cluster.
#include "micro.h"

using namespace pallasgen;

namespace {

constexpr int kCluster = 4;

struct alignas(1024) Smem {
  float part[kCluster][64];
  Barrier full, free;
};

// Each CTA loads a quarter of a row block and sends it to all; each adds up what it got.
__global__ void multicast_kernel(const __grid_constant__ TensorMap map, int laps, float* out, uint32_t* ranks) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const uint32_t rank = ptx::cluster_ctarank();
  if (threadIdx.x == 0) {
    smem.full.init(1, "full");
    smem.free.init(kCluster, "free");
    fence_barrier_init();
    ranks[2 * blockIdx.x] = rank;
    ranks[2 * blockIdx.x + 1] = ptx::cluster_nctarank();
  }
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();
  float sum = 0;
  for (int lap = 0; lap < laps; ++lap) {
    const uint32_t phase = static_cast<uint32_t>(lap & 1);
    if (threadIdx.x == 0) {
      smem.free.wait_cluster(phase ^ 1);  // all CTAs have read what I am about to overwrite
      smem.full.arrive_expect_tx(sizeof smem.part);
      const int row = (static_cast<int>(blockIdx.x / kCluster) * laps + lap) * kCluster + static_cast<int>(rank);
      tma_load_multicast(smem.part[rank], map, {row, 0}, smem.full, (1 << kCluster) - 1);
    }
    smem.full.wait(phase);
    for (int r = 0; r < kCluster; ++r) sum += smem.part[r][threadIdx.x] * static_cast<float>(r + 1);
    __syncthreads();
    if (threadIdx.x < kCluster) smem.free.arrive_at(threadIdx.x);
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();  // nobody leaves while others may arrive on its barriers
}

}  // namespace

int main() {
  constexpr int laps = 5, clusters = 2, rows = laps * clusters * kCluster;
  std::vector<float> values(rows * 64);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 97);
  const micro::Array<float> array(values);
  micro::Array<float> out(size_t{clusters * kCluster * 64});
  micro::Array<uint32_t> ranks(size_t{2 * clusters * kCluster});
  TensorMaps maps("micro");
  const TensorMap map = maps.add("array", array.device(), {rows, 64}, {1, 64}, Swizzle::kNone);
  micro::require(maps.error(), "tensor map");
  Grid grid(clusters * kCluster);
  grid.cluster = kCluster;
  micro::run(multicast_kernel, grid, 64, sizeof(Smem), map, int(laps), out.device(), ranks.device());
  out.download();
  ranks.download();
  for (int cta = 0; cta < clusters * kCluster; ++cta) {
    micro::check_equal(ranks.host[static_cast<size_t>(2 * cta)], static_cast<uint32_t>(cta % kCluster), "rank");
    micro::check_equal(ranks.host[static_cast<size_t>(2 * cta + 1)], static_cast<uint32_t>(kCluster), "cluster size");
    for (int t = 0; t < 64; ++t) {
      float wanted = 0;
      for (int lap = 0; lap < laps; ++lap)
        for (int r = 0; r < kCluster; ++r)
          wanted += values[static_cast<size_t>(((cta / kCluster * laps + lap) * kCluster + r) * 64 + t)] *
                    static_cast<float>(r + 1);
      micro::check_equal(out.host[static_cast<size_t>(cta * 64 + t)], wanted, "multicast sum");
    }
  }
  return micro::finish();
}
