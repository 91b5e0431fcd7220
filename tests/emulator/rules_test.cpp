#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <pallasgen/atomic.cuh>
#include <pallasgen/device.cuh>
#include <pallasgen/ptx/cp_async.cuh>
#include <pallasgen/ptx/sreg.cuh>
#include <string>

#include "child.h"

// Each rule of an instruction is broken once, by a kernel of its own, in a child process.
using namespace pallasgen;

namespace {

struct alignas(1024) Smem {
  unsigned char data[16384];
  Barrier barrier, other;
};

ChildResult run(void (*kernel)(), int threads = 32, int shared_bytes = sizeof(Smem)) {
  return in_child([=] {
    if (launch(kernel, 1, threads, static_cast<size_t>(shared_bytes), nullptr) != cudaSuccess) _exit(3);
  });
}

void breaks_rule(void (*kernel)(), const std::string& words, int threads = 32) {
  expect(run(kernel, threads), emulator::kExitRuleBroken, words);
}

template <uint32_t Count>
__global__ void init_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) smem.barrier.init(Count);
}

TEST_CASE("mbarrier.init: count") {
  breaks_rule(init_kernel<0>, "count 0 is not from 1 to 1048575");
  breaks_rule(init_kernel<1 << 20>, "count 1048576 is not from 1 to 1048575");
  CHECK(run(init_kernel<(1 << 20) - 1>).code == 0);
}

__global__ void init_twice_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  smem.barrier.init(1, "first");
  smem.barrier.init(1);
}
__global__ void invalidate_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  smem.barrier.init(1);
  ptx::mbarrier_invalidate(smem.barrier.address());
  smem.barrier.init(2);
  ptx::mbarrier_invalidate(smem.barrier.address());
}
__global__ void after_invalidate_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  smem.barrier.init(1);
  ptx::mbarrier_invalidate(smem.barrier.address());
  smem.barrier.arrive();
}

TEST_CASE("mbarrier: initialised once, invalidated before other use") {
  breaks_rule(init_twice_kernel, "(first) is in use; it was initialised before");
  CHECK(run(invalidate_kernel).code == 0);
  breaks_rule(after_invalidate_kernel, "was not initialised");
}

__global__ void overwritten_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  smem.barrier.init(2);
  smem.barrier.word = 0;
  smem.barrier.arrive();
}
__global__ void parity_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  smem.barrier.init(1);
  smem.barrier.wait(2);
}
__global__ void too_many_bytes_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  smem.barrier.init(1);
  smem.barrier.expect_tx((1 << 20) - 1);
  smem.barrier.expect_tx(1);
}
__global__ void bytes_left_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  smem.barrier.init(1);
  smem.barrier.expect_tx(16);
}
__global__ void outside_kernel() { ptx::mbarrier_init(1024 + sizeof(Smem), 1); }
__global__ void misaligned_kernel() { ptx::mbarrier_init(1024 + 4, 1); }

TEST_CASE("mbarrier: memory, parity and bytes") {
  breaks_rule(overwritten_kernel, "was overwritten with other data");
  breaks_rule(parity_kernel, "parity 2 is not 0 or 1");
  breaks_rule(too_many_bytes_kernel, "exceed the 1048575 that a phase can count");
  breaks_rule(bytes_left_kernel, "16 bytes outstanding");
  breaks_rule(outside_kernel, "reach outside the 17408 bytes of shared memory");
  breaks_rule(misaligned_kernel, "is not aligned to 8 bytes");
}

__global__ void disagree_on_count_kernel() {
  if (threadIdx.x < 32)
    ptx::barrier_sync<1, 64>();
  else
    ptx::barrier_sync<1, 96>();
}
__global__ void more_than_the_cta_kernel() { ptx::barrier_sync<1, 128>(); }

TEST_CASE("named barriers") {
  breaks_rule(disagree_on_count_kernel, "threads disagree on its count, 64 and 96", 96);
  breaks_rule(more_than_the_cta_kernel, "waits for 128 threads, the CTA has 32");
}

__global__ void lanes_disagree_kernel() { threadIdx.x == 5 ? ptx::syncwarp() : static_cast<void>(ptx::elect_one()); }
__global__ void lane_missing_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 9) smem.barrier.init(1);
  if (threadIdx.x == 9) smem.barrier.wait(0);
  ptx::shfl_idx(threadIdx.x, 0);
}
__global__ void not_in_mask_kernel() { __shfl_sync(0x0000ffffu, threadIdx.x, 3); }

TEST_CASE("lanes of a warp") {
  breaks_rule(lanes_disagree_kernel, "lanes of a warp disagree");
  expect(run(lane_missing_kernel), emulator::kExitDeadlock, "lanes 0xfffffdff of 0xffffffff have come");
  breaks_rule(not_in_mask_kernel, "lane 16 is not in the mask 0x0000ffff");
}

__global__ void registers_down_kernel() { ptx::setmaxnreg_dec<256>(); }
__global__ void registers_up_kernel() { ptx::setmaxnreg_inc<24>(); }
__global__ void registers_differ_kernel() { threadIdx.x < 32 ? ptx::setmaxnreg_dec<40>() : ptx::setmaxnreg_dec<48>(); }
__global__ void registers_fit_kernel() {
  if (threadIdx.x < 128)
    ptx::setmaxnreg_dec<40>();
  else
    ptx::setmaxnreg_inc<232>();
}

// A warp keeps the registers that it was granted: others that ask for more than is left do not stop it.
__global__ void registers_in_turn_kernel() {
  if (threadIdx.x < 128) {
    ptx::setmaxnreg_dec<104>();
  } else if (threadIdx.x < 256) {
    for (int i = 0; i < 4 && threadIdx.x % 32 == 31; ++i) __nanosleep(100);  // the last lane comes after the others ask
    ptx::setmaxnreg_inc<232>();
    ptx::syncwarp();
    ptx::setmaxnreg_dec<168>();
  } else {
    __nanosleep(10);
    ptx::setmaxnreg_inc<232>();
  }
}

TEST_CASE("setmaxnreg") {
  breaks_rule(registers_down_kernel, "setmaxnreg.dec to 256 registers, but the warp has 168", 384);
  breaks_rule(registers_up_kernel, "setmaxnreg.inc to 24 registers, but the warp has 168", 384);
  breaks_rule(registers_differ_kernel, "warp 1 did not do the same", 128);
  CHECK(run(registers_fit_kernel, 384).code == 0);
  CHECK(run(registers_in_turn_kernel, 384).code == 0);
}

__device__ uint64_t descriptor_of(Smem& smem) {
  return descriptor_bits(ptx::shared_address(smem.data), 128, 256, Swizzle::kNone);
}
template <int Kind>
__global__ void wgmma_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  float d[4] = {};
  uint64_t a = descriptor_of(smem), b = a;
  if (Kind == 2) b |= 1ull << 55;        // a reserved bit
  if (Kind == 3) a += (16u << 10) >> 4;  // 16 KiB further: the last rows are past the end
  ptx::wgmma_fence();
  ptx::wgmma_m64n8k16_f32_bf16<0, 0>(d, a, b, 0);
  ptx::wgmma_commit_group();
  if (Kind == 4) d[1] = 0;
  ptx::wgmma_wait_group<0>();
  if (Kind == 5) ptx::wgmma_m64n8k16_f32_bf16<0, 0>(d, a, b, 0);
}

TEST_CASE("wgmma") {
  CHECK(run(wgmma_kernel<0>, 128).code == 0);
  breaks_rule(wgmma_kernel<2>, "wgmma operand B: reserved bits of the matrix descriptor", 128);
  breaks_rule(wgmma_kernel<3>, "outside the 17408 bytes of shared memory", 128);
  breaks_rule(wgmma_kernel<4>, "the accumulator was written while instructions on it were in flight", 128);
  breaks_rule(wgmma_kernel<5>, "no wgmma.fence since", 128);
  breaks_rule(wgmma_kernel<0>, "is in no whole warpgroup", 96);
}

__device__ unsigned char global_bytes[4096] __attribute__((aligned(128)));

template <int Kind>
__global__ void copy_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  const uint32_t data = ptx::shared_address(smem.data), bar = smem.barrier.address();
  smem.barrier.init(1);
  if (Kind != 0) fence_barrier_init();
  if (Kind == 0) ptx::bulk_load(data, global_bytes, 16, bar);
  if (Kind == 1) ptx::bulk_load(data, global_bytes, 24, bar);
  if (Kind == 2) ptx::bulk_load(data, global_bytes + 8, 16, bar);
  if (Kind == 3) ptx::bulk_load(data + 8, global_bytes, 16, bar);
  if (Kind == 4) ptx::bulk_store(global_bytes, data + 16376, 16);
  if (Kind == 5) ptx::cp_async<8>(data, global_bytes + 4, 8);
  if (Kind == 6) ptx::cp_async<8>(data, global_bytes, 9);
  if (Kind == 7) ptx::cp_async<16>(data, global_bytes, 16);
  if (Kind == 8) ptx::bulk_load(data, global_bytes, 32, bar), smem.barrier.arrive();
}

TEST_CASE("copies") {
  breaks_rule(copy_kernel<0>, "initialised without a fence.mbarrier_init");
  breaks_rule(copy_kernel<1>, "24 bytes are no multiple of 16");
  breaks_rule(copy_kernel<2>, "is no multiple of 16");
  breaks_rule(copy_kernel<3>, "is not aligned to 16 bytes");
  breaks_rule(copy_kernel<4>, "is not aligned to 16 bytes");
  breaks_rule(copy_kernel<5>, "is no multiple of 8");
  breaks_rule(copy_kernel<6>, "9 bytes of source for 8 of target");
  breaks_rule(copy_kernel<7>, "exits without waiting for a cp.async");
  // The arrival completes the phase before the copy does.
  breaks_rule(copy_kernel<8>, "the CTA ends while this still uses its shared memory: bulk load");
}

__global__ void poll_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) smem.barrier.init(1, "never");
  __syncthreads();
  while (!ptx::mbarrier_test_wait_parity(smem.barrier.address(), 0)) {
  }
}
__global__ void endless_kernel() {
  const volatile int zero = 0;
  while (zero == 0) {
  }
}
__global__ void meet_kernel() {
  const volatile int zero = 0;
  while (zero == 0) __syncthreads();
}
int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth <= 0 ? frame[0] : recurse(depth - 1) + frame[0];
}
__global__ void deep_kernel() { recurse(1000); }
__global__ void null_kernel() { *reinterpret_cast<volatile int*>(threadIdx.x == 3 ? 8 : 0) = 1; }
__global__ void trap_kernel() { __trap(); }

TEST_CASE("kernels that do not end, crash or trap") {
  const auto with = [](const char* name, double value, void (*kernel)()) {
    return in_child([=] {
      emulator::Options options;
      (std::string(name) == "polls" ? (options.poll_limit = static_cast<uint64_t>(value))
                                    : (options.seconds_without_switch = value, 0));
      emulator::set_options(options);
      launch(kernel, 1, 32, sizeof(Smem), nullptr);
    });
  };
  expect(with("polls", 1000, poll_kernel), emulator::kExitNoProgress, "polled 1000 times in a row");
  expect(with("polls", 1000, meet_kernel), emulator::kExitNoProgress, "go round and meet, and nothing else happens");
  expect(with("seconds", 1, endless_kernel), emulator::kExitNoProgress,
         "without a synchronisation, at rules_test.cpp:");
  expect(run(deep_kernel), emulator::kExitCrash, "the stack of thread 0 overflowed");
  expect(run(null_kernel), emulator::kExitCrash, "SIGSEGV at (nil), at rules_test.cpp:");
  breaks_rule(trap_kernel, "executed a trap");
  expect(in_child([] { ptx::syncwarp(); }), emulator::kExitRuleBroken, "is called outside a kernel");
}

template <int Kind>
__global__ void remote_atomic_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  constexpr MemoryOrder kOrder = MemoryOrder::kRelaxed;
  constexpr MemoryScope kScope = MemoryScope::kCluster;
  const uint32_t other = ptx::mapa(ptx::shared_address(smem.data), 1 - ptx::cluster_ctarank());
  if (Kind != 4) {
    ptx::cluster_arrive_relaxed();
    ptx::cluster_wait_acquire();
  }
  if (Kind == 0) ptx::red_add_shared_u32<kOrder, kScope>(other, 1);
  if (Kind == 1) ptx::red_add_cluster_u32<kOrder, kScope>(other + 2, 1);
  if (Kind == 2) ptx::red_add_cluster_u32<kOrder, kScope>(other + sizeof(Smem), 1);
  if (Kind == 3 && blockIdx.x == 0) __nanosleep(100);  // the other CTA reaches its end
  if (Kind == 3 && blockIdx.x == 0) ptx::red_add_cluster_u32<kOrder, kScope>(other, 1);
  if (Kind == 4) ptx::store_cluster_b32(other, 1);
  if (Kind == 5) ptx::store_cluster_b64(other + 4, 1);
}

struct Exchanged {
  uint64_t word;
  Barrier arrived;
};
template <int Kind>
__global__ void remote_store_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Exchanged, smem);
  const bool first = threadIdx.x == 0;
  if (first) smem.arrived.init(1, "arrived");
  if (first && Kind != 0) fence_barrier_init();
  ptx::cluster_arrive_release();
  ptx::cluster_wait_acquire();
  const uint32_t other = 1 - ptx::cluster_ctarank(), to = ptx::mapa(ptx::shared_address(&smem.word), other);
  const uint32_t bar = ptx::mapa(smem.arrived.address(), other);
  if (Kind == 3 && first) smem.arrived.arrive_expect_tx(4);
  if (Kind == 4 && other == 0) __nanosleep(100);  // the other CTA stores meanwhile
  if ((Kind == 0 || Kind == 3) && first) ptx::store_async_b64(to, 1, bar);
  if (Kind == 1 && first) ptx::store_async_b32(to, 1, smem.arrived.address());
  if (Kind == 2 && first) ptx::store_async_b64(to + 4, 1, bar);
  if (Kind == 4 && first && other == 1) ptx::store_async_b32(to, 1, bar);  // no wait for it
  if (Kind == 3) smem.arrived.wait_cluster(0);
}

TEST_CASE("asynchronous stores to other CTAs") {
  const auto ends = [](void (*kernel)(), int code, const std::string& words) {
    Grid pair(2);
    pair.cluster = 2;
    expect(in_child([=] { launch(kernel, pair, 32, sizeof(Exchanged), nullptr); }), code, words);
  };
  ends(remote_store_kernel<0>, emulator::kExitRuleBroken, "without a fence.mbarrier_init");
  ends(remote_store_kernel<1>, emulator::kExitRuleBroken, "the barrier is not of the CTA that it stores to");
  ends(remote_store_kernel<2>, emulator::kExitRuleBroken, "is not aligned to 8 bytes");
  ends(remote_store_kernel<3>, emulator::kExitDeadlock, "-4 bytes outstanding");
  ends(remote_store_kernel<4>, emulator::kExitRuleBroken,
       "the CTA ends while this still uses its shared memory: st.async");
}

TEST_CASE("accesses to the shared memory of other CTAs") {
  const auto breaks = [](void (*kernel)(), const std::string& words) {
    Grid pair(2);
    pair.cluster = 2;
    expect(in_child([=] { launch(kernel, pair, 32, sizeof(Smem), nullptr); }), emulator::kExitRuleBroken, words);
  };
  breaks(remote_atomic_kernel<0>, "of another CTA: by ptx::atom_..._cluster, not ..._shared");
  breaks(remote_atomic_kernel<1>, "is not aligned to 4 bytes");
  breaks(remote_atomic_kernel<2>, "reach outside the 17408 bytes");
  breaks(remote_atomic_kernel<3>, "CTA 1 of the cluster has exited");
  breaks(remote_atomic_kernel<4>, "of the cluster may not have started: no barrier of the cluster has been passed");
  breaks(remote_atomic_kernel<5>, "is not aligned to 8 bytes");
}

__global__ void index_kernel() {
  float* array = nullptr;
  at(array, {2, 4}, {1, 4}) = 0.0f;
}
__global__ void vectors_kernel() {
  Fragment<float, StridedLayout<32, 4, 128>> x;
  load<4>(x, static_cast<const float*>(nullptr), {47}, {0});
}

TEST_CASE("what kernels promise about arrays in global memory") {
  breaks_rule(index_kernel, "index 4 along axis 1 of an array that has 4 elements there");
  breaks_rule(vectors_kernel, "4 elements at once along 47 that are left of an axis");
}

struct alignas(1024) Larger {
  unsigned char data[sizeof(Smem) + 1024];
};
__global__ void larger_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Larger, smem);
  smem.data[0] = 0;
}

TEST_CASE("shared memory larger than the launch gave") {
  breaks_rule(larger_kernel, "the kernel's shared memory has 18432 bytes, its launch gave 17408");
}

__global__ void first_byte_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) std::printf("starts as %02x", smem.data[5]);
}

TEST_CASE("shared memory starts as NaN, in random schedules also as 0 or large numbers") {
  const auto starts_as = [](bool random_order, uint64_t seed, const std::string& byte) {
    const ChildResult result = in_child([=] {
      emulator::Options options;
      options.random_order = random_order;
      options.seed = seed;
      emulator::set_options(options);
      launch(first_byte_kernel, 1, 32, sizeof(Smem), nullptr);
    });
    expect(result, 0, "starts as " + byte);
  };
  starts_as(false, 3, "ff");
  starts_as(true, 1, "7f");
  starts_as(true, 2, "ff");
  starts_as(true, 3, "00");
}

}  // namespace
