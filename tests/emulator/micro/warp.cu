// Shuffles, votes, the election, named barriers, __syncthreads, atomics.
#include <utility>

#include "micro.h"

using namespace pallasgen;

namespace {

constexpr int kResults = 12;

__global__ void warp_kernel(uint32_t* out) {
  const uint32_t lane = ptx::lane_id(), v = 100 + lane;
  const uint32_t results[kResults] = {
      ptx::shfl_idx(v, 7),       ptx::shfl_idx(v, lane / 2), ptx::shfl_bfly(v, 5),
      ptx::shfl_up(v, 3),        ptx::shfl_down(v, 4),       ptx::vote_ballot(lane % 3 == 0),
      ptx::vote_any(lane == 31), ptx::vote_any(lane == 32),  ptx::vote_all(lane < 32),
      ptx::vote_all(lane < 31),  ptx::elect_one(),           __shfl_xor_sync(0xffffffffu, v, 9, 16)};
  ptx::syncwarp();
  for (int i = 0; i < kResults; ++i) out[kResults * threadIdx.x + i] = results[i];
}

struct alignas(1024) Smem {
  int slots[8], sum;
};

// Warps 0-1 produce for warps 2-3 by a pair of named barriers, on which one side only arrives.
__global__ void named_kernel(int* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int warp = threadIdx.x / 32;
  for (int lap = 0; lap < 8; ++lap) {
    if (warp < 2) {
      if (lap > 0) ptx::barrier_sync<2, 128>();  // the slot is free
      if (threadIdx.x == 0) smem.slots[0] = 10 * lap;
      ptx::barrier_arrive<1, 128>();
    } else {
      ptx::barrier_sync<1, 128>();
      out[lap * 64 + threadIdx.x - 64] = smem.slots[0];
      if (lap < 7) ptx::barrier_arrive<2, 128>();
    }
  }
}

// Named barriers of 14 ids (all are 16): warp 0 passes a value to warp 1 after each, and takes one back after
// __syncthreads.
template <int Id>
__device__ void hand_over(int* slots, int* out) {
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) slots[Id] = 100 + Id;
    ptx::barrier_arrive<Id, 64>();
  } else {
    ptx::barrier_sync<Id, 64>();
    if (threadIdx.x == 32) out[Id] = slots[Id];
  }
}
template <int... Id>
__device__ void hand_over_all(std::integer_sequence<int, Id...>, int* slots, int* out) {
  (hand_over<Id + 1>(slots, out), ...);
}
struct alignas(1024) Slots {
  int slots[16];
};
__global__ void ids_kernel(int* out) {
  PALLASGEN_DYNAMIC_SMEM(Slots, smem);
  hand_over_all(std::make_integer_sequence<int, 14>{}, smem.slots, out);
  if (threadIdx.x == 40) smem.slots[0] = 7;
  out[16 + threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0);
  if (threadIdx.x == 0) out[0] = smem.slots[0];
}

// One lane of warp 0 arrives for all 32, the others of which have exited; so do the 8 lanes of the last, ragged warp.
__global__ void one_lane_kernel(int* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x < 32) {
    if (!ptx::elect_one()) return;
    smem.slots[0] = 9;
    ptx::barrier_arrive<1, 96>();
  } else {
    ptx::barrier_sync<1, 96>();
    out[threadIdx.x - 32] = smem.slots[0];
  }
}

__global__ void atomic_kernel(int* total, int* order) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) smem.sum = 0;
  __syncthreads();
  atomicAdd(&smem.sum, static_cast<int>(threadIdx.x));
  order[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(total, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(total + 1, smem.sum);
  // Threads that have exited do not count.
  if (threadIdx.x >= 64) return;
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) total[2] = smem.sum;
}

}  // namespace

int main() {
  micro::Array<uint32_t> out(size_t{64 * kResults});
  micro::run(warp_kernel, 1, 64, 0, out.device());
  out.download();
  for (uint32_t t = 0; t < 64; ++t) {
    const uint32_t lane = t % 32;
    const uint32_t wanted[kResults] = {107,
                                       100 + lane / 2,
                                       100 + (lane ^ 5),
                                       100 + (lane < 3 ? lane : lane - 3),
                                       100 + (lane > 27 ? lane : lane + 4),
                                       0x49249249u,
                                       1,
                                       0,
                                       1,
                                       0,
                                       out.host[t * kResults + 10],  // any one lane
                                       100 + (lane ^ 9)};
    for (size_t i = 0; i < kResults; ++i)
      micro::check_equal(out.host[t * kResults + i], wanted[i],
                         "result " + std::to_string(i) + " of lane " + std::to_string(lane));
  }
  for (uint32_t warp = 0; warp < 2; ++warp) {
    uint32_t elected = 0;
    for (uint32_t lane = 0; lane < 32; ++lane) elected += out.host[(32 * warp + lane) * kResults + 10];
    micro::check_equal(elected, 1u, "lanes elected");
  }
  micro::Array<int> seen(size_t{8 * 64});
  micro::run(named_kernel, 1, 128, sizeof(Smem), seen.device());
  seen.download();
  for (size_t i = 0; i < 512; ++i) micro::check_equal(seen.host[i], static_cast<int>(i / 64 * 10), "named barriers");
  micro::Array<int> handed(size_t{40});
  micro::run(one_lane_kernel, 1, 72, sizeof(Smem), handed.device());
  handed.download();
  for (int value : handed.host) micro::check_equal(value, 9, "one lane for its warp");
  micro::Array<int> ids(size_t{80});
  micro::run(ids_kernel, 1, 64, sizeof(Slots), ids.device());
  ids.download();
  micro::check_equal(ids.host[0], 7, "__syncthreads");
  for (size_t id = 1; id < 15; ++id)
    micro::check_equal(ids.host[id], 100 + static_cast<int>(id), "named barrier " + std::to_string(id));
  for (size_t t = 0; t < 64; ++t) micro::check_equal(ids.host[16 + t], 22, "__syncthreads_count");
  micro::Array<int> total(size_t{3}), order(size_t{256});
  micro::run(atomic_kernel, 2, 128, sizeof(Smem), total.device(), order.device());
  total.download();
  order.download();
  micro::check_equal(total.host[0], 256, "sum of atomics");
  micro::check_equal(total.host[1], 127 * 64, "sum in shared memory");
  micro::check_equal(total.host[2], 127 * 64, "after threads have left");
  std::vector<int> times(256);
  for (int i : order.host) ++times[static_cast<size_t>(i)];
  for (int n : times) micro::check_equal(n, 1, "each number once");
  return micro::finish();
}
