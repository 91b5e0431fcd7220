#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <pallasgen/device.cuh>
#include <pallasgen/ptx/matrix.cuh>
#include <pallasgen/ptx/mma.cuh>
#include <pallasgen/ptx/sreg.cuh>
#include <set>
#include <string>

#include "child.h"

// Instructions that lanes of a warp must execute together, and those that they may execute apart.
using namespace pallasgen;

namespace {

struct alignas(1024) Smem {
  unsigned char data[16384];
  Barrier barrier;
};

ChildResult run(void (*kernel)(), int threads, const std::function<void(emulator::Options&)>& set = nullptr) {
  return in_child([=] {
    emulator::Options options;
    if (set) set(options);
    emulator::set_options(options);
    if (launch(kernel, 1, threads, sizeof(Smem), nullptr) != cudaSuccess) _exit(3);
  });
}

// In order and in a random schedule.
void breaks_rule(void (*kernel)(), int threads, const std::string& words) {
  for (const uint64_t seed : {0u, 2u})
    expect(run(kernel, threads, [=](emulator::Options& options) { options.random_order = (options.seed = seed) != 0; }),
           emulator::kExitRuleBroken, words);
}
void is_right(void (*kernel)(), int threads) {
  for (const uint64_t seed : {0u, 2u})
    expect(run(kernel, threads, [=](emulator::Options& options) { options.random_order = (options.seed = seed) != 0; }),
           0, "");
}

enum Instruction {
  kSyncthreads,
  kBarSync,
  kBarArrive,
  kFence,
  kMultiply,
  kCommit,
  kWait,
  kRegisters,
  kCluster,
  kClusterWait,
  kLdmatrix,
  kStmatrix,
  kMma,
  kShuffle,
  kVote,
  kElect,
  kSyncwarp
};

template <int I>
__device__ __forceinline__ void execute(Smem& smem) {
  const uint32_t address = ptx::shared_address(smem.data + threadIdx.x % 32 * 16);
  if constexpr (I == kSyncthreads) __syncthreads();
  if constexpr (I == kBarSync) ptx::barrier_sync<1, 128>();
  if constexpr (I == kBarArrive) ptx::barrier_arrive<1, 128>();
  if constexpr (I == kFence) ptx::wgmma_fence();
  if constexpr (I == kMultiply) {
    float d[4];
    const uint64_t tile = descriptor_bits(ptx::shared_address(smem.data), 128, 256, Swizzle::kNone);
    ptx::wgmma_m64n8k16_f32_bf16<0, 0>(d, tile, tile, 0);
  }
  if constexpr (I == kCommit) ptx::wgmma_commit_group();
  if constexpr (I == kWait) ptx::wgmma_wait_group<0>();
  if constexpr (I == kRegisters) ptx::setmaxnreg_dec<40>();
  if constexpr (I == kCluster) ptx::cluster_arrive_release();
  if constexpr (I == kClusterWait) ptx::cluster_wait_acquire();
  uint32_t word = 0;
  if constexpr (I == kLdmatrix) ptx::ldmatrix_x1(address, word);
  if constexpr (I == kStmatrix) ptx::stmatrix_x1(address, word);
  if constexpr (I == kMma) {
    float d[4] = {};
    const uint32_t a[4] = {}, b[2] = {};
    ptx::mma_m16n8k16_f32_f16(d, a, b);
  }
  if constexpr (I == kShuffle) ptx::shfl_idx(word, 0);
  if constexpr (I == kVote) ptx::vote_ballot(true);
  if constexpr (I == kElect) ptx::elect_one();
  if constexpr (I == kSyncwarp) ptx::syncwarp();
}

// The instructions required before it, by all lanes.
template <int I>
__device__ __forceinline__ void prepare() {
  if constexpr (I == kMultiply || I == kCommit || I == kWait) ptx::wgmma_fence();
  if constexpr (I == kClusterWait) ptx::cluster_arrive_release();
}

// Those after it.
template <int I>
__device__ __forceinline__ void finish() {
  if constexpr (I == kBarArrive) ptx::barrier_sync<2, 128>();
  if constexpr (I == kMultiply) ptx::wgmma_commit_group();
  if constexpr (I == kMultiply) ptx::wgmma_wait_group<0>();
  if constexpr (I == kCluster) ptx::cluster_wait_acquire();
}

// Some lanes execute it in one branch, the others in the other.
template <int I>
__global__ void branches_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  prepare<I>();
  if (threadIdx.x % 32 < 7)
    execute<I>(smem);
  else
    execute<I>(smem);
  finish<I>();
}
// Warps diverge, lanes of a warp do not.
template <int I>
__global__ void warps_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  prepare<I>();
  if (threadIdx.x / 32 == 1)
    execute<I>(smem);
  else
    execute<I>(smem);
  finish<I>();
}
// Some lanes skip it.
template <int I>
__global__ void left_out_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  prepare<I>();
  if (threadIdx.x % 32 != 3) execute<I>(smem);
  finish<I>();
  ptx::vote_any(true);
}
// Lanes run different numbers of iterations of a loop.
template <int I>
__global__ void rounds_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  prepare<I>();
  for (unsigned i = 0; i <= threadIdx.x % 2; ++i) execute<I>(smem);
  finish<I>();
  ptx::vote_any(true);
}

template <int I>
void test_diverged(const std::string& name) {
  INFO(name);
  breaks_rule(branches_kernel<I>, 128, "lanes of a warp disagree: " + name + " here, " + name + " at warp_rules_test");
  breaks_rule(left_out_kernel<I>, 128, "lanes of a warp disagree: ");
  breaks_rule(rounds_kernel<I>, 128, I == kClusterWait ? "the thread has not arrived" : "lanes of a warp disagree: ");
  is_right(warps_kernel<I>, 128);
}

TEST_CASE("aligned instructions in warps that have diverged") {
  test_diverged<kSyncthreads>("__syncthreads");
  test_diverged<kBarSync>("bar.sync");
  breaks_rule(branches_kernel<kBarArrive>, 128, "lanes of a warp disagree: bar.arrive here, bar.arrive at");
  test_diverged<kFence>("wgmma.fence");
  test_diverged<kMultiply>("wgmma.mma_async");
  test_diverged<kCommit>("wgmma.commit_group");
  test_diverged<kWait>("wgmma.wait_group");
  test_diverged<kRegisters>("setmaxnreg");
  test_diverged<kCluster>("barrier.cluster.arrive");
  test_diverged<kClusterWait>("barrier.cluster.wait");
  test_diverged<kLdmatrix>("ldmatrix.x1");
  test_diverged<kStmatrix>("stmatrix.x1");
  test_diverged<kMma>("mma.m16n8k16.f32.f16.f16");
}

TEST_CASE("exchanges of values meet at one place") {
  test_diverged<kShuffle>("shfl.sync");
  test_diverged<kVote>("vote.sync");
  test_diverged<kElect>("elect.sync");
  // A bar.warp.sync waits for others at any place.
  is_right(branches_kernel<kSyncwarp>, 128);
  breaks_rule(left_out_kernel<kSyncwarp>, 128, "lanes of a warp disagree: ");
}

__global__ void halves_kernel() {
  const unsigned lane = threadIdx.x % 32;
  if (lane < 16)
    __shfl_sync(0x0000ffffu, lane, 3);
  else
    __shfl_sync(0xffff0000u, lane, 19);
}
__global__ void halves_at_two_places_kernel() {
  const unsigned lane = threadIdx.x % 32;
  if (lane >= 16) return;
  if (lane < 8)
    __shfl_sync(0x0000ffffu, lane, 3);
  else
    __shfl_sync(0x0000ffffu, lane, 3);
}

TEST_CASE("exchanges of some lanes") {
  is_right(halves_kernel, 32);
  breaks_rule(halves_at_two_places_kernel, 32, "lanes of a warp disagree: shfl.sync here, shfl.sync at");
}

// Lanes that have exited are not waited for, except by instructions that all lanes must execute.
template <int I>
__global__ void left_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x % 32 > 20) return;
  for (int i = 0; i < 4 && threadIdx.x % 32 == 20; ++i) __nanosleep(100);
  if (threadIdx.x % 32 == 19) return;
  execute<I>(smem);
}
template <int I>
__global__ void leaves_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x % 32 == 5) {
    for (int i = 0; i < 8; ++i) __nanosleep(100);
    return;
  }
  execute<I>(smem);
}

template <int I>
__global__ void late_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x % 32 > 20) return;
  for (int i = 0; i < 50; ++i) __nanosleep(100);  // the others have exited
  execute<I>(smem);
}

__global__ void arrives_and_leaves_kernel() {
  if (threadIdx.x % 2 == 0) return;
  ptx::cluster_arrive_release();
  if (threadIdx.x % 32 == 5) return;
  ptx::cluster_wait_acquire();
  ptx::cluster_arrive_relaxed();
  ptx::cluster_wait_acquire();
}

TEST_CASE("lanes that have left") {
  is_right(left_kernel<kSyncthreads>, 128);
  is_right(left_kernel<kBarSync>, 128);
  is_right(leaves_kernel<kBarSync>, 128);
  is_right(left_kernel<kShuffle>, 128);
  is_right(arrives_and_leaves_kernel, 128);
  breaks_rule(left_kernel<kFence>, 128, "exit");
  breaks_rule(left_kernel<kRegisters>, 128, "exit");
  breaks_rule(late_kernel<kFence>, 128, "lanes 0xffe00000 of the warp have exited or never were, all must execute it");
  breaks_rule(leaves_kernel<kFence>, 128, "the lane exits without wgmma.fence, which lanes 0x");
  // Lanes that compute something together each have a part of it.
  breaks_rule(late_kernel<kLdmatrix>, 128, "ldmatrix.x1: lanes 0xffe00000 of the warp have exited or never were");
  breaks_rule(late_kernel<kStmatrix>, 128, "stmatrix.x1: lanes 0xffe00000 of the warp have exited or never were");
  breaks_rule(late_kernel<kMma>, 128, "mma.m16n8k16.f32.f16.f16: lanes 0xffe00000 of the warp have exited or never");
  breaks_rule(leaves_kernel<kLdmatrix>, 128, "the lane exits without ldmatrix.x1, which lanes 0x");
  breaks_rule(late_kernel<kMma>, 40, "of the warp have exited or never were, all must execute it");
}

// Lanes 0 to 15 have exited. In a segment of 16 lanes none reads another's value.
template <int Width>
__global__ void shuffle_kernel() {
  if (threadIdx.x % 32 >= 16) return;
  for (int i = 0; i < 50; ++i) __nanosleep(100);  // the others have exited
  if (__shfl_down_sync(0xffffffffu, threadIdx.x, 8, Width) == 1000) __trap();
}
__global__ void shuffle_in_part_of_warp_kernel() { __shfl_xor_sync(0xffffffffu, threadIdx.x, 16); }

TEST_CASE("shuffles from lanes that are not there") {
  is_right(shuffle_kernel<16>, 128);
  breaks_rule(shuffle_kernel<32>, 128, "which has exited or never was");
  is_right(shuffle_in_part_of_warp_kernel, 64);
  breaks_rule(shuffle_in_part_of_warp_kernel, 40, "which has exited or never was");
}

// Two calls on one line.
// clang-format off
__global__ void one_line_kernel() { if (threadIdx.x % 32 < 7) __syncthreads(); else __syncthreads(); }
// clang-format on

TEST_CASE("two aligned instructions on one line") {
  breaks_rule(one_line_kernel, 128, "lanes of a warp disagree: __syncthreads here, __syncthreads at warp_rules_test");
}

// One lane of a warp arrives for all 32, the others of which have exited.
__global__ void one_lane_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x < 32) {
    if (!ptx::elect_one()) return;
    smem.data[0] = 7;
    ptx::barrier_arrive<1, 64>();
  } else {
    ptx::barrier_sync<1, 64>();
    if (smem.data[0] != 7) __trap();
  }
}
// The same with the others still running: they must come too.
__global__ void one_lane_of_many_kernel() {
  if (threadIdx.x < 32) {
    if (threadIdx.x == 4) ptx::barrier_arrive<1, 64>();
    for (int i = 0; i < 8; ++i) __nanosleep(100);
    ptx::vote_any(true);
  } else {
    ptx::barrier_sync<1, 64>();
  }
}
// Whole warps count, however few threads the last one has.
__global__ void ragged_kernel() { ptx::barrier_sync<1, 64>(); }
// A lane of a warp runs ahead to the next phase before another has seen the end of this one.
__global__ void laps_kernel() {
  for (int i = 0; i < 5; ++i)
    if (threadIdx.x < 32)
      ptx::barrier_arrive<1, 64>(), ptx::barrier_sync<2, 64>();
    else
      ptx::barrier_sync<1, 64>(), ptx::barrier_arrive<2, 64>();
}
__global__ void half_a_warp_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) smem.barrier.init(1, "never");
  ptx::syncwarp();
  if (threadIdx.x % 32 >= 16) smem.barrier.wait(0);
  ptx::barrier_sync<1, 32>();
}

TEST_CASE("named barriers count warps") {
  is_right(one_lane_kernel, 64);
  is_right(ragged_kernel, 40);
  is_right(laps_kernel, 64);
  breaks_rule(one_lane_of_many_kernel, 64, "lanes of a warp disagree: ");
  expect(run(half_a_warp_kernel, 32), emulator::kExitDeadlock,
         "named barrier 1: 0 of 32 threads have arrived, lanes 0x0000ffff of warp 0 wait for its others");
}

__global__ void elections_kernel() {
  const bool first = ptx::elect_one(), second = ptx::elect_one();
  if (first != second) __trap();
  if (first) std::printf("elected %d\n", static_cast<int>(threadIdx.x) % 32);
}
__global__ void election_of_few_kernel() {
  if (threadIdx.x % 32 < 30) return;
  if (ptx::elect_one()) std::printf("elected %d\n", static_cast<int>(threadIdx.x) % 32);
}

TEST_CASE("any lane may be elected, the same every time") {
  const auto elected = [](void (*kernel)(), uint64_t seed) {
    const ChildResult result =
        run(kernel, 64, [=](emulator::Options& options) { options.random_order = (options.seed = seed) != 0; });
    INFO(result.output);
    CHECK(result.code == 0);
    std::multiset<int> lanes;
    for (size_t at = 0; (at = result.output.find("elected ", at)) != std::string::npos; ++at)
      lanes.insert(std::atoi(result.output.c_str() + at + 8));
    CHECK(lanes.size() == 2);  // one of each warp
    return lanes;
  };
  CHECK(elected(elections_kernel, 0) == std::multiset<int>{0, 0});
  std::set<int> lanes;
  for (uint64_t seed = 1; seed <= 6; ++seed)
    for (const int lane : elected(elections_kernel, seed)) lanes.insert(lane);
  CHECK(lanes.size() >= 6);
  for (uint64_t seed = 1; seed <= 3; ++seed)
    for (const int lane : elected(election_of_few_kernel, seed)) CHECK(lane >= 30);
}

__device__ unsigned char stored[16] __attribute__((aligned(16)));

// The elected lane stores, lane 0 waits for the store.
__global__ void waits_in_lane_0_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (ptx::elect_one()) {
    ptx::bulk_store(stored, ptx::shared_address(smem.data), 16);
    ptx::bulk_commit_group();
  }
  if (threadIdx.x == 0) ptx::bulk_wait_group<0>();
}

TEST_CASE("a kernel that takes lane 0 for the elected one") {
  const auto in_order = [](uint64_t seed) {
    return run(waits_in_lane_0_kernel, 32,
               [=](emulator::Options& options) { options.random_order = (options.seed = seed) != 0; });
  };
  CHECK(in_order(0).code == 0);
  for (uint64_t seed = 1; seed <= 3; ++seed)
    expect(in_order(seed), emulator::kExitRuleBroken, "the thread exits while a store it started may still read");
}

}  // namespace
