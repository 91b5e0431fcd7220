// Launches whose CTAs all run at the same time, launches that depend on others, and copies that arrive on a barrier.
#include <pallasgen/grid.cuh>
#include <pallasgen/ptx/griddep.cuh>

#include "micro.h"

using namespace pallasgen;

namespace {

constexpr int kCtas = 3, kThreads = 64, kLaps = 5;

struct alignas(1024) Smem {
  uint32_t slot;
  float in[kThreads];
  Barrier full;
};

// In each iteration every CTA reads what its neighbour wrote in the previous one.
__global__ void laps_kernel(uint32_t* word, uint32_t* tickets, int* values, int* ticket_of) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const uint32_t ticket = take_ticket(tickets, smem.slot);
  if (threadIdx.x == 5) ticket_of[blockIdx.x] = static_cast<int>(ticket);
  const unsigned mine = blockIdx.x * kThreads + threadIdx.x;
  const unsigned other = (blockIdx.x + 1) % kCtas * kThreads + threadIdx.x;
  int value = static_cast<int>(mine);
  for (int lap = 0; lap < kLaps; ++lap) {
    values[mine] = value;
    grid_sync(word);
    value = values[other] + 1;
    grid_sync(word);
  }
  values[mine] = value;
}

__global__ void dependent_kernel(const int* values, int* out) {
  ptx::griddepcontrol_wait();
  const unsigned mine = blockIdx.x * kThreads + threadIdx.x;
  out[mine] = 2 * values[mine];
  ptx::griddepcontrol_launch_dependents();
}

// All threads copy 4 bytes each, the last 8 of them only zeros, and the barrier shows when all have arrived.
__global__ void copy_kernel(const float* array, float* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) smem.full.init(kThreads, "full");
  __syncthreads();
  const uint32_t to = ptx::shared_address(&smem.in[threadIdx.x]);
  ptx::cp_async<4>(to, array + threadIdx.x, threadIdx.x < kThreads - 8 ? 4 : 0);
  ptx::cp_async_mbarrier_arrive_noinc(smem.full.address());
  smem.full.wait(0);
  out[threadIdx.x] = smem.in[kThreads - 1 - threadIdx.x];
}

}  // namespace

int main() {
  micro::Array<uint32_t> word(size_t{1}), tickets(size_t{1});
  micro::Array<int> values(size_t{kCtas * kThreads}), ticket_of(size_t{kCtas}), out(size_t{kCtas * kThreads});
  for (int times = 0; times < 2; ++times) {  // the word of grid_sync needs no reset
    tickets.upload();
    micro::run(laps_kernel, Grid(kCtas).cooperative(), kThreads, sizeof(Smem), word.device(), tickets.device(),
               values.device(), ticket_of.device());
    micro::run(dependent_kernel, Grid(kCtas).dependent(), kThreads, 0, values.device(), out.device());
    out.download();
    for (int i = 0; i < kCtas * kThreads; ++i) {
      const int cta = (i / kThreads + kLaps) % kCtas;
      micro::check_equal(out.host[static_cast<size_t>(i)], 2 * (cta * kThreads + i % kThreads + kLaps), "laps");
    }
    ticket_of.download();
    int seen = 0;
    for (const int ticket : ticket_of.host) seen |= 1 << ticket;
    micro::check_equal(seen, (1 << kCtas) - 1, "tickets");
  }
  const cudaError_t error = launch(laps_kernel, Grid(100000).cooperative(), kThreads, sizeof(Smem), nullptr,
                                   word.device(), tickets.device(), values.device(), ticket_of.device());
  micro::check_equal(static_cast<int>(error), static_cast<int>(cudaErrorCooperativeLaunchTooLarge), "too many CTAs");
  cudaGetLastError();

  micro::Array<float> array(size_t{kThreads}), reversed(size_t{kThreads});
  for (size_t i = 0; i < kThreads; ++i) array.host[i] = 1.0f + static_cast<float>(i);
  array.upload();
  micro::run(copy_kernel, 1, kThreads, sizeof(Smem), array.device(), reversed.device());
  reversed.download();
  for (size_t i = 0; i < kThreads; ++i)
    micro::check_equal(reversed.host[i], i < 8 ? 0.0f : static_cast<float>(kThreads - i), "copies with a barrier");
  return micro::finish();
}
