// One warp whose lanes pass values to each other through shared memory and can make one planted mistake: planted_warp
// NAME. Exits as planted does. Clocks per warp detect none of these mistakes, clocks per thread all.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdio>
#include <pallasgen/device.cuh>
#include <pallasgen/ptx/matrix.cuh>
#include <pallasgen/ptx/shuffle.cuh>
#include <vector>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr unsigned kLanes = 32;

struct alignas(1024) Smem {
  uint32_t passed[kLanes], handed[kLanes];
  uint32_t rows[kLanes][4];
  uint32_t leader;
};

__global__ __launch_bounds__(kLanes, 1) void warp_kernel(uint32_t* out, Bug bug) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const unsigned lane = threadIdx.x;
  // A value from the previous lane.
  smem.passed[lane] = 7 * lane;
  if (bug != Bug::kNoSyncInWarp) ptx::syncwarp();
  uint32_t sum = lane == 0 ? 0 : smem.passed[lane - 1];
  // A shuffle synchronises the lanes and orders no memory.
  smem.handed[lane] = lane * lane;
  if (bug == Bug::kShuffleForSync)
    sum += ptx::shfl_idx(lane, 0);  // 0
  else
    ptx::syncwarp();
  sum += smem.handed[(lane + 5) % kLanes];
  // Each lane writes the row that the next one reads: lane l passes the address of row l.
  for (unsigned i = 0; i < 4; ++i) smem.rows[(lane + 1) % kLanes][i] = (lane + 1) % kLanes * 4 + i;
  if (bug != Bug::kNoSyncBeforeLdmatrix) ptx::syncwarp();
  uint32_t words[4];
  ptx::ldmatrix_x4(ptx::shared_address(smem.rows[lane]), words[0], words[1], words[2], words[3]);
  for (unsigned matrix = 0; matrix < 4; ++matrix) sum += words[matrix];
  // One lane writes for all.
  if (lane == 3) smem.leader = 1000;
  if (bug != Bug::kNoSyncAfterLeader) ptx::syncwarp();
  if (lane >= 3) sum += smem.leader;
  out[lane] = sum;
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  std::vector<uint32_t> sums(kLanes);
  uint32_t* out;
  cudaMalloc(reinterpret_cast<void**>(&out), sizeof(uint32_t) * kLanes);
  if (launch(warp_kernel, 1, kLanes, sizeof(Smem), nullptr, out, bug) != cudaSuccess) return 2;
  cudaMemcpy(sums.data(), out, sizeof(uint32_t) * kLanes, cudaMemcpyDeviceToHost);
  cudaFree(out);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned next = (lane + 5) % kLanes;
    uint32_t wanted = (lane == 0 ? 0 : 7 * (lane - 1)) + next * next + (lane >= 3 ? 1000 : 0);
    // Word `lane` of each matrix, which is 8 rows of 4 words.
    for (unsigned matrix = 0; matrix < 4; ++matrix) wanted += matrix * 32 + lane;
    if (sums[lane] == wanted) continue;
    std::fprintf(stderr, "lane %u: got %u, wanted %u\n", lane, sums[lane], wanted);
    return 1;
  }
  return 0;
}
