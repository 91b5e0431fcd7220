// A pipelined matmul, c = a b with b in boxes of columns, which can make one planted mistake: planted NAME [M N K].
// Without a mistake ("none") it ends with 0; with one it must not. Exits 1 if the numbers are wrong; the emulator's own
// codes classify other faults.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pallasgen/device.cuh>
#include <string>
#include <vector>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr int bm = 128, bn = 64, bk = 64;
constexpr int kStages = 3, kConsumers = 2, kThreads = 128 * (1 + kConsumers);
constexpr int kRows = bm / kConsumers;
constexpr int kSlabColumns = 32;  // b: a 64-byte swizzle atom wide, so that a leading stride leads from box to box
constexpr uint32_t kStageBytes = (bm * bk + bn * bk) * sizeof(bf16);

struct alignas(1024) Smem {
  bf16 a[kStages][bm * bk];
  bf16 b[kStages][bn * bk];
  bf16 c[kConsumers][kRows * bn];
  unsigned char flags[4];  // 4 bytes of padding follow
  Barrier full[kStages], empty[kStages], pair[2];
};

using Tiles = StripTiles<8>;

__device__ void producer(Smem& smem, const TensorMap& map_a, const TensorMap& map_b, int tiles_m, int tiles_n,
                         int steps_k, Bug bug) {
  set_max_registers_down<40>();
  if (warp_of_warpgroup() != 0 || !elect_one()) return;
  Ring<kStages> ring;
  for (Tiles tile(tiles_m, tiles_n); tile.valid(); tile.next()) {
    for (int k = 0; k < steps_k; ++k, ring.advance()) {
      const int s = ring.slot;
      if (bug != Bug::kNoEmptyWait) smem.empty[s].wait(bug == Bug::kWrongParityOfEmpty ? ring.phase : ring.phase ^ 1);
      smem.full[s].arrive_expect_tx(bug == Bug::kHalfTheBytes    ? kStageBytes / 2
                                    : bug == Bug::kTwiceTheBytes ? kStageBytes * 2
                                                                 : kStageBytes);
      if (bug == Bug::kOverArrival) smem.full[s].arrive();
      tma_load(smem.a[s], map_a, {(tile.m + (bug == Bug::kOffByOneTile)) * bm, k * bk + (bug == Bug::kBoxAmid16Bytes)},
               smem.full[s]);
      bf16* b = bug == Bug::kStageOverrun     ? smem.b[s] + 8 * kSlabColumns
                : bug == Bug::kMisalignedCopy ? smem.b[s] + 8
                                              : smem.b[s];
      if (bug == Bug::kCopyBehindTheEnd) b = reinterpret_cast<bf16*>(&smem + 1) - 1024;
      for (int i = 0; i < bn / kSlabColumns; ++i)
        tma_load(b + i * bk * kSlabColumns, map_b, {k * bk, tile.n * bn + i * kSlabColumns}, smem.full[s]);
    }
  }
}

__device__ void multiply(Fragment<float, WgmmaLayout<kRows, bn>>& acc, Smem& smem, int s, int row0, bool first,
                         Bug bug) {
  auto desc_a = descriptor_k_major<Swizzle::k128B>(&smem.a[s][row0 * bk]);
  auto desc_b = descriptor_mn_major<Swizzle::k64B, bk>(smem.b[s]);
  if (bug == Bug::kWrongSwizzle) desc_b.bits ^= 3ull << 62;
  if (bug == Bug::kWrongStride) desc_b.bits += 1ull << 38;         // the next group of 8 rows is elsewhere
  if (bug == Bug::kWrongLeadingStride) desc_b.bits += 1ull << 20;  // so is the next box of columns
  if (bug == Bug::kTileOffAlignment) desc_b.bits += 128 >> 4;      // two rows further in the swizzle's pattern
  if (bug == Bug::kThreadsDisagree && threadIdx.x % 128 == 77) desc_b.bits += 2;
  if (bug != Bug::kNoWgmmaFence) wgmma_fence();
#pragma unroll
  for (int kk = 0; kk < bk / 16; ++kk)
    wgmma_m64n64k16(acc, desc_a.advance_k(kk), desc_b.advance_k(kk), !first || kk > 0);
  if (bug != Bug::kNoWgmmaCommit) wgmma_commit();
}

__device__ void epilogue(const Fragment<float, WgmmaLayout<kRows, bn>>& acc, Smem& smem, const TensorMap& map_c, int m,
                         int n, int wg, Bug bug) {
  const bool leader = is_first_thread_of_warpgroup();
  bf16* staging = smem.c[wg];
  if (leader && bug != Bug::kStagingReused) tma_store_wait_read<0>();
  if (bug != Bug::kNoSyncBeforeReuse) warpgroup_sync<kConsumers>(wg);
  if (bug == Bug::kGapWritten) static_cast<volatile unsigned char*>(smem.flags)[4 + threadIdx.x % 4] = 1;
  if (bug == Bug::kFieldOverrun) smem.c[wg][kRows * bn + static_cast<int>(threadIdx.x) % 2] = bf16{};
  if (bug == Bug::kSharedOverrun) reinterpret_cast<volatile char*>(&smem + 1)[16 + threadIdx.x] = 1;
#pragma unroll
  for (int i = 0; i < bn / 16; ++i) store_fragment<Swizzle::k128B>(staging, i, pack_bf16(acc.columns<16>(i * 16)));
  if (bug != Bug::kNoProxyFence) fence_async_shared();
  if (bug == Bug::kDivergedBarrier && threadIdx.x % 32 < 16)
    warpgroup_sync<kConsumers>(wg);
  else if (bug != Bug::kNoSyncBeforeStore)
    warpgroup_sync<kConsumers>(wg);
  if (leader) {
    tma_store(map_c, {bug == Bug::kStoreBeforeArray ? m - bm : m, n}, staging);
    if (bug != Bug::kNoStoreCommit) tma_store_commit();
  }
}

__device__ void consumer(Smem& smem, const TensorMap& map_c, int tiles_m, int tiles_n, int steps_k, Bug bug) {
  bug == Bug::kTooManyRegisters ? set_max_registers_up<240>() : set_max_registers_up<232>();
  const int wg = warpgroup_index() - 1, row0 = wg * kRows;
  const bool leader = is_first_thread_of_warpgroup();
  const bool frees = bug == Bug::kReleaseByOneWarp ? leader : is_first_thread_of_warp();
  Ring<kStages> ring;
  for (Tiles tile(tiles_m, tiles_n); tile.valid(); tile.next()) {
    Fragment<float, WgmmaLayout<kRows, bn>> acc;
    int previous = 0;
    for (int k = 0; k < steps_k; ++k, ring.advance()) {
      const int s = ring.slot;
      if (bug != Bug::kNoFullWait) smem.full[s].wait(bug == Bug::kWrongParityOfFull ? ring.phase ^ 1 : ring.phase);
      if (bug == Bug::kEarlyRelease && frees) smem.empty[s].arrive();
      multiply(acc, smem, s, row0, k == 0, bug);
      if (bug == Bug::kAccumulatorPeeked && acc[0] > 1e30f) __trap();  // false for a NaN
      wgmma_wait<1>();
      if (bug != Bug::kEarlyRelease && bug != Bug::kNoRelease && k > 0 && frees) smem.empty[previous].arrive();
      previous = s;
    }
    if (bug != Bug::kAccumulatorTooEarly) wgmma_wait<0>();
    if (bug != Bug::kEarlyRelease && frees) smem.empty[previous].arrive();
    if (bug == Bug::kRaggedTileDropped && tile.m == tiles_m - 1) continue;
    const int to = bug == Bug::kRaceBetweenPrograms ? 0 : tile.m;
    epilogue(acc, smem, map_c, to * bm + row0, tile.n * bn, wg, bug);
    if (bug == Bug::kAccumulatorTooEarly) wgmma_wait<0>();
  }
  if (leader && bug != Bug::kExitBeforeStore) tma_store_wait_read<0>();
}

// Two warps each wait for the other before they arrive.
__device__ void deadlock_by_order(Smem& smem) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp > 1) return;
  smem.pair[1 - warp].wait(0);
  if (threadIdx.x % 32 == 0) smem.pair[warp].arrive();
}

__global__ __launch_bounds__(kThreads, 1) void planted_kernel(const __grid_constant__ TensorMap map_a,
                                                              const __grid_constant__ TensorMap map_b,
                                                              const __grid_constant__ TensorMap map_c, int tiles_m,
                                                              int tiles_n, int steps_k, Bug bug) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) {
    prefetch(map_a, map_b, map_c);
    smem.a[0][0] = bf16{};  // this thread starts a load there next
    if (bug != Bug::kNoFenceBeforeLoad) fence_async_shared();
    const int empties = bug == Bug::kReleaseByOneWarp ? kConsumers : bug == Bug::kWrongCount ? 1 : 4 * kConsumers;
    for (int s = 0; s < kStages; ++s) {
      smem.full[s].init(1);
      if (bug != Bug::kBarrierNotInitialised) smem.empty[s].init(empties, "empty");
    }
    smem.pair[0].init(1, "left");
    smem.pair[1].init(1, "right");
    if (bug != Bug::kNoBarrierFence) fence_barrier_init();
  }
  if (bug != Bug::kNoSyncAfterInit) __syncthreads();
  if (bug == Bug::kDeadlockByOrder) deadlock_by_order(smem);
  if (bug == Bug::kCountsDisagree) {
    if (threadIdx.x < 64)
      ptx::barrier_sync<9, 64>();
    else if (threadIdx.x < 128)
      ptx::barrier_sync<9, 96>();
  }
  if (warpgroup_index() == 0)
    producer(smem, map_a, map_b, tiles_m, tiles_n, steps_k, bug);
  else
    consumer(smem, map_c, tiles_m, tiles_n, steps_k, bug);
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  const int M = argc > 4 ? std::atoi(argv[2]) : 300, N = argc > 4 ? std::atoi(argv[3]) : 136,
            K = argc > 4 ? std::atoi(argv[4]) : 328;
  std::vector<bf16> a(static_cast<size_t>(M * K)), b(static_cast<size_t>(N * K)), c(static_cast<size_t>(M * N));
  // Small integers: every sum is exact.
  for (size_t i = 0; i < a.size(); ++i) a[i] = __float2bfloat16_rn(static_cast<float>((i * 7 + i / 31) % 5) - 2.0f);
  for (size_t i = 0; i < b.size(); ++i) b[i] = __float2bfloat16_rn(static_cast<float>((i * 3 + i / 17) % 5) - 2.0f);
  bf16 *da, *db, *dc;
  cudaMalloc(reinterpret_cast<void**>(&da), a.size() * sizeof(bf16));
  cudaMalloc(reinterpret_cast<void**>(&db), b.size() * sizeof(bf16));
  cudaMalloc(reinterpret_cast<void**>(&dc), c.size() * sizeof(bf16));
  cudaMemcpy(da, a.data(), a.size() * sizeof(bf16), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(bf16), cudaMemcpyHostToDevice);
  TensorMaps maps("planted");
  const TensorMap map_a = maps.add("a", da, {M, K}, {bug == Bug::kWrongBox ? bm / 2 : bm, bk}, Swizzle::k128B);
  const TensorMap map_b = maps.add("b", db, {K, N}, {bk, kSlabColumns}, Swizzle::k64B);
  const TensorMap map_c =
      bug == Bug::kNoTensorMap ? TensorMap{} : maps.add("c", dc, {M, N}, {kRows, bn}, Swizzle::k128B);
  const int tiles_m = static_cast<int>(ceil_div(M, bm)), tiles_n = static_cast<int>(ceil_div(N, bn)),
            steps_k = static_cast<int>(ceil_div(K, bk));
  const cudaError_t error = launch(planted_kernel, persistent_grid(tiles_m, tiles_n), kThreads, sizeof(Smem), nullptr,
                                   map_a, map_b, map_c, tiles_m, tiles_n, steps_k, bug);
  if (error != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) {
    std::printf("launch failed: %s\n", last_error());
    return 2;
  }
  cudaMemcpy(c.data(), dc, c.size() * sizeof(bf16), cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  long wrong = 0;
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum +=
            __bfloat162float(a[static_cast<size_t>(m * K + k)]) * __bfloat162float(b[static_cast<size_t>(k * N + n)]);
      const float got = __bfloat162float(c[static_cast<size_t>(m * N + n)]);
      wrong += !(got == __bfloat162float(__float2bfloat16_rn(sum)));
    }
  std::printf("%ld of %d wrong\n", wrong, M * N);
  return wrong != 0;
}
