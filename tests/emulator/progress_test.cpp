#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <pallasgen/device.cuh>
#include <pallasgen/dynamic_tiles.cuh>
#include <pallasgen/ptx/sreg.cuh>

#include "child.h"

// Kernels whose progress is hard to detect: polls for later events, arrivals without waits, phases that run ahead.
using namespace pallasgen;

namespace {

struct alignas(1024) Smem {
  unsigned char data[16];
  Barrier barrier;
};

void ends_well(void (*kernel)(), int ctas, int threads, const emulator::Options& options) {
  expect(in_child([=] {
           emulator::set_options(options);
           if (launch(kernel, Grid(ctas).cooperative(), threads, sizeof(Smem), nullptr) != cudaSuccess) _exit(3);
         }),
         0, "");
}

// One warp polls, and passes its first lane's result to the others; another waits for a copy first.
__device__ uint32_t flag;
__device__ unsigned char copied[16] __attribute__((aligned(16)));
__global__ void poll_with_exchange_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const unsigned t = threadIdx.x;
  if (t == 0) {
    store_ordered<MemoryOrder::kRelaxed>(&flag, 0u);
    smem.barrier.init(1, "copied");
    fence_barrier_init();
  }
  __syncthreads();
  if (t == 0) {
    smem.barrier.arrive_expect_tx(16);
    ptx::bulk_load(ptx::shared_address(smem.data), copied, 16, smem.barrier.address());
    smem.barrier.wait(0);
    store_ordered<MemoryOrder::kRelease>(&flag, 1u);
  } else if (t >= 32) {
    uint32_t seen = 0;
    while (ptx::shfl_idx(seen, 0) == 0)
      if (t % 32 == 0) seen = load_ordered<MemoryOrder::kAcquire>(&flag);
  }
}

// All warps of CTA 0 poll for a store that one thread of CTA 1 makes after many synchronisations of its warp.
__global__ void poll_by_many_kernel() {
  const bool first = threadIdx.x == 0;
  if (blockIdx.x == 0) {
    while (load_ordered<MemoryOrder::kAcquire>(&flag) == 0) {
    }
  } else if (threadIdx.x < 32) {
    for (int i = 0; i < 500; ++i) ptx::syncwarp();
    if (first) store_ordered<MemoryOrder::kRelease>(&flag, 1u);
  }
}

struct alignas(16) QueueSmem {
  TileQueue queue;
};

// One thread passes numbers to four warps, which free each slot; a slot's barrier waits for `takers` of them.
__global__ void queue_kernel(int takers, int numbers) {
  PALLASGEN_DYNAMIC_SMEM(QueueSmem, smem);
  if (threadIdx.x == 0) {
    for (Barrier& barrier : smem.queue.full) barrier.init(1, "full");
    for (Barrier& barrier : smem.queue.empty) barrier.init(static_cast<uint32_t>(takers), "empty");
    fence_barrier_init();
  }
  __syncthreads();
  const bool gives = threadIdx.x == 128;
  if (threadIdx.x > 128) return;
  Ring<TileQueue::kSlots> ring;
  for (int i = 0; i < numbers; ++i, ring.advance()) {
    if (gives)
      smem.queue.put(ring, static_cast<uint32_t>(i));
    else if (smem.queue.get(ring) != static_cast<uint32_t>(i))
      __trap();
  }
}

TEST_CASE("a queue whose slots wait for one warp too few stops in time") {
  const auto run = [](int takers, int numbers) {
    return in_child([=] {
      if (launch(queue_kernel, 1, 160, sizeof(QueueSmem), nullptr, takers, numbers) != cudaSuccess) _exit(3);
    });
  };
  expect(run(4, 40), 0, "");
  expect(run(3, 4), 0, "");  // too few iterations to be detected
  expect(run(3, 40), emulator::kExitDeadlock, "empty");
}

TEST_CASE("copies complete while a warp polls and exchanges what it sees") {
  ends_well(poll_with_exchange_kernel, 1, 64, {});
}

TEST_CASE("polls in vain starve nobody") {
  emulator::Options options;
  options.random_order = true;
  options.poll_limit = 100000;
  for (options.seed = 2; options.seed < 20; options.seed += 4) ends_well(poll_by_many_kernel, 2, 256, options);
}

// Warpgroups take turns so, and the last one passes its turn on.
__global__ void left_in_phase_kernel() {
  if (threadIdx.x < 32) ptx::barrier_arrive<3, 64>();
}

TEST_CASE("arrivals at a named barrier that nobody waits for may be left") {
  ends_well(left_in_phase_kernel, 1, 64, {});
}

}  // namespace
