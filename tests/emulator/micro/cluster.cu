// Clusters: ranks, mapa, arrivals on other CTAs' barriers, multicast, atomics on their memory, the barrier of the
// cluster.
#include "micro.h"

using namespace pallasgen;

namespace {

constexpr int kCluster = 4;

struct alignas(1024) Smem {
  float part[kCluster][64];
  Barrier full, free;
};

// Each CTA loads a quarter of a row block and sends it to all; each adds up what it received.
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
      smem.free.wait_cluster(phase ^ 1);  // all CTAs have read the data that this one overwrites
      smem.full.arrive_expect_tx(sizeof smem.part);
      const int row = (static_cast<int>(blockIdx.x / kCluster) * laps + lap) * kCluster + static_cast<int>(rank);
      tma_load_multicast(smem.part[rank], map, {row, 0}, smem.full, (1 << kCluster) - 1);
    }
    smem.full.wait(phase);
    for (int r = 0; r < kCluster; ++r) sum += smem.part[r][threadIdx.x] * static_cast<float>(r + 1);
    fence_async_shared();  // the copies of the next iteration follow these reads
    __syncthreads();
    if (threadIdx.x < kCluster) smem.free.arrive_at(threadIdx.x);
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();  // no CTA exits while others may arrive on its barriers
}

struct Counters {
  uint32_t sum, largest, bits, once;
  float total;
};

// Every thread of the cluster updates the counters of every CTA.
__global__ void remote_atomics_kernel(uint32_t* out, float* totals, uint32_t* seen) {
  PALLASGEN_DYNAMIC_SMEM(Counters, smem);
  constexpr MemoryOrder kOrder = MemoryOrder::kRelaxed;
  constexpr MemoryScope kScope = MemoryScope::kCluster;
  if (threadIdx.x == 0) smem = {};
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();
  const uint32_t me = ptx::cluster_ctarank() * 64 + threadIdx.x;
  for (uint32_t rank = 0; rank < kCluster; ++rank) {
    ptx::red_add_cluster_u32<kOrder, kScope>(ptx::mapa(ptx::shared_address(&smem.sum), rank), me);
    ptx::atom_max_cluster_u32<kOrder, kScope>(ptx::mapa(ptx::shared_address(&smem.largest), rank), me + rank);
    ptx::red_or_cluster_b32<kOrder, kScope>(ptx::mapa(ptx::shared_address(&smem.bits), rank), 1u << (me % 32));
    ptx::red_add_cluster_f32<kOrder, kScope>(ptx::mapa(ptx::shared_address(&smem.total), rank), 0.5f);
    const uint32_t once = ptx::mapa(ptx::shared_address(&smem.once), rank);
    if (ptx::atom_cas_cluster_b32<MemoryOrder::kAcqRel, kScope>(once, 0, me + 1) == 0) atomicAdd(seen, 1);
  }
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();
  if (threadIdx.x != 0) return;
  uint32_t* mine = out + 3 * blockIdx.x;
  mine[0] = smem.sum;
  mine[1] = smem.largest;
  mine[2] = smem.bits;
  totals[blockIdx.x] = smem.total;
}

// Separate arrival and wait: accesses of a CTA before it arrived are done for all after the wait. The last arrival
// orders nothing and only keeps the CTAs alive for each other.
__global__ void apart_kernel(int laps, uint32_t* out) {
  PALLASGEN_DYNAMIC_SMEM(Counters, smem);
  constexpr MemoryOrder kOrder = MemoryOrder::kRelaxed;
  if (threadIdx.x == 0) smem.sum = 0;
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();
  const uint32_t next = (ptx::cluster_ctarank() + 1) % kCluster;
  uint32_t between = 0, seen = 0;
  for (int lap = 0; lap < laps; ++lap) {
    ptx::red_add_cluster_u32<kOrder, MemoryScope::kCluster>(ptx::mapa(ptx::shared_address(&smem.sum), next), 1);
    ptx::cluster_arrive_release();
    between += threadIdx.x;
    ptx::cluster_wait_acquire();
    seen += smem.sum == 64u * static_cast<uint32_t>(lap + 1);
    ptx::cluster_arrive_release();
    ptx::cluster_wait_acquire();
  }
  out[blockIdx.x * 64 + threadIdx.x] = 1000 * seen + between;
  ptx::cluster_arrive_relaxed();
  ptx::cluster_wait_acquire();
}

struct Received {
  uint64_t words[kCluster];
  uint32_t halves[kCluster];
  uint16_t quarters[kCluster];
  uint8_t bytes[kCluster];
};

// Each CTA writes to its place in every other; these read what they received.
__global__ void stores_kernel(uint32_t* out) {
  PALLASGEN_DYNAMIC_SMEM(Received, smem);
  ptx::cluster_arrive_relaxed();
  ptx::cluster_wait_acquire();
  const uint32_t rank = ptx::cluster_ctarank();
  if (threadIdx.x < kCluster) {
    const auto of = [](const void* place) { return ptx::mapa(ptx::shared_address(place), threadIdx.x); };
    ptx::store_cluster_b64(of(&smem.words[rank]), uint64_t{rank + 1} << 40);
    ptx::store_cluster_b32(of(&smem.halves[rank]), (rank + 1) << 20);
    ptx::store_cluster_b16(of(&smem.quarters[rank]), static_cast<uint16_t>((rank + 1) << 10));
    ptx::store_cluster_b8(of(&smem.bytes[rank]), static_cast<uint8_t>(rank + 1));
  }
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();
  if (threadIdx.x >= kCluster) return;
  const uint32_t i = threadIdx.x, wanted = i + 1;
  out[blockIdx.x * kCluster + i] = (smem.words[i] == uint64_t{wanted} << 40) + (smem.halves[i] == wanted << 20) +
                                   (smem.quarters[i] == wanted << 10) + (smem.bytes[i] == wanted);
}

struct Exchanged {
  uint32_t halves[2][kCluster];
  uint64_t words[2][kCluster];
  Barrier arrived[2];
};

// Each CTA stores to its place in every CTA by st.async; a phase of the CTA's own barrier shows that all came. Two
// barriers alternate, as a CTA may be one iteration ahead.
__global__ void async_stores_kernel(int laps, uint32_t* out) {
  PALLASGEN_DYNAMIC_SMEM(Exchanged, smem);
  if (threadIdx.x == 0) {
    for (Barrier& each : smem.arrived) each.init(1, "arrived");
    fence_barrier_init();
  }
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();
  const uint32_t rank = ptx::cluster_ctarank(), cta = threadIdx.x;
  uint32_t right = 0;
  for (uint32_t lap = 0; lap < static_cast<uint32_t>(laps); ++lap) {
    Barrier& arrived = smem.arrived[lap % 2];
    if (threadIdx.x == 0) arrived.arrive_expect_tx((sizeof smem.halves + sizeof smem.words) / 2);
    if (cta < kCluster) {
      const auto of = [&](const void* place) { return ptx::mapa(ptx::shared_address(place), cta); };
      ptx::store_async_b32(of(&smem.halves[lap % 2][rank]), 100 * lap + rank, of(&arrived));
      ptx::store_async_b64(of(&smem.words[lap % 2][rank]), uint64_t{100 * lap + rank} << 32, of(&arrived));
    }
    arrived.wait_cluster(lap / 2 % 2);
    const uint32_t from = threadIdx.x % kCluster, wanted = 100 * lap + from;
    right += smem.halves[lap % 2][from] == wanted && smem.words[lap % 2][from] == uint64_t{wanted} << 32;
    __syncwarp();  // stores of the next iteration follow the reads of all lanes
  }
  out[blockIdx.x * 32 + threadIdx.x] = right;
}

void test_async_stores() {
  constexpr uint32_t laps = 9;
  micro::Array<uint32_t> out(size_t{32 * kCluster});
  Grid grid(kCluster);
  grid.cluster = kCluster;
  micro::run(async_stores_kernel, grid, 32, sizeof(Exchanged), int(laps), out.device());
  out.download();
  for (uint32_t i = 0; i < 32 * kCluster; ++i) micro::check_equal(out.host[i], laps, "st.async of 4 and 8 bytes");
}

void test_stores() {
  micro::Array<uint32_t> out(size_t{kCluster * kCluster});
  Grid grid(kCluster);
  grid.cluster = kCluster;
  micro::run(stores_kernel, grid, 32, sizeof(Received), out.device());
  out.download();
  for (uint32_t i = 0; i < kCluster * kCluster; ++i)
    micro::check_equal(out.host[i], uint32_t{4}, "what other CTAs have stored, by 8, 4, 2 and 1 bytes");
}

void test_apart() {
  constexpr uint32_t laps = 4;
  micro::Array<uint32_t> out(size_t{64 * kCluster});
  Grid grid(kCluster);
  grid.cluster = kCluster;
  micro::run(apart_kernel, grid, 64, sizeof(Counters), int(laps), out.device());
  out.download();
  for (uint32_t i = 0; i < 64 * kCluster; ++i)
    micro::check_equal(out.host[i], laps * 1000 + laps * (i % 64), "the barrier of the cluster, in two halves");
}

void test_remote_atomics() {
  constexpr uint32_t threads = kCluster * 64;
  micro::Array<uint32_t> out(size_t{3 * kCluster}), seen(size_t{1});
  micro::Array<float> totals(size_t{kCluster});
  Grid grid(kCluster);
  grid.cluster = kCluster;
  micro::run(remote_atomics_kernel, grid, 64, sizeof(Counters), out.device(), totals.device(), seen.device());
  out.download();
  totals.download();
  seen.download();
  for (uint32_t rank = 0; rank < kCluster; ++rank) {
    micro::check_equal(out.host[3 * rank], threads * (threads - 1) / 2, "sum in another CTA");
    micro::check_equal(out.host[3 * rank + 1], threads - 1 + rank, "maximum in another CTA");
    micro::check_equal(out.host[3 * rank + 2], 0xffffffffu, "bits in another CTA");
    micro::check_equal(totals.host[rank], 0.5f * threads, "sum of floats in another CTA");
  }
  micro::check_equal(seen.host[0], uint32_t{kCluster}, "one exchange in each CTA");
}

}  // namespace

int main() {
  test_remote_atomics();
  test_apart();
  test_stores();
  test_async_stores();
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
