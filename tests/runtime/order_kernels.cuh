#pragma once
#include <pallasgen/check.cuh>
#include <pallasgen/device.cuh>
#include <pallasgen/grid.cuh>

// Kernels whose CTAs access the same words of global memory, run by the tests and compiled by gate.cu. The emulator
// refuses accesses whose scope excludes the other CTA. Most have CTAs of one thread.
namespace orders {

using namespace pallasgen;

// Element i is stored by CTA i; two elements of 4 bits share a byte.
template <class T>
__global__ __launch_bounds__(32, 1) void store_own(T* out) {
  store_element(out, {int64_t{gridDim.x}}, {int64_t{blockIdx.x}},
                typename Stored<T>::Element(static_cast<int>(blockIdx.x) + 1));
}

// One of the CTAs writes its number, which is not 0.
template <class T>
__global__ __launch_bounds__(32, 1) void take_first(T* word) {
  atomic_cas(in_global(word), T(0), T(blockIdx.x + 1));
}

// CTA 0 passes a value to CTA 1.
template <class T>
__global__ __launch_bounds__(32, 1) void hand_over(uint32_t* flag, T* data, T* out) {
  if (blockIdx.x == 0) {
    *data = T(41);
    store_ordered<MemoryOrder::kRelease>(flag, 1u);
  } else {
    while (load_ordered<MemoryOrder::kAcquire>(flag) == 0) {
    }
    *out = *data + T(1);
  }
}

// Each CTA finds a fault, its number from 1 on; `Axes` words are its grid point.
template <int Axes>
__global__ __launch_bounds__(32, 1) void find_fault(uint32_t* status) {
  if constexpr (Axes > 0) {
    int64_t point[Axes > 0 ? Axes : 1];
    for (int axis = 0; axis < Axes; ++axis) point[axis] = blockIdx.x * 10 + axis;
    report_fault(status, blockIdx.x + 1, point);
  } else {
    report_fault(status, blockIdx.x + 1);
  }
}

// counts[t]: how many threads have had ticket t, one per CTA in each of its turns.
template <int Turns>
__global__ __launch_bounds__(64, 1) void count_tickets(uint32_t* counter, int* counts) {
  PALLASGEN_DYNAMIC_SMEM(uint32_t, slot);
#pragma unroll 1
  for (int turn = 0; turn < Turns; ++turn) atomic_add(in_global(&counts[take_ticket(counter, slot)]), 1);
}

// Each thread's element of `sums` is the sum of all threads' values in `all`, times `factor`.
template <class T>
__global__ __launch_bounds__(64, 1) void add_up(uint32_t* word, T* all, T* sums, int factor) {
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  const int own = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  all[own] = T(own * factor);
  grid_sync(word);
  T sum = T(0);
  for (int i = 0; i < threads; ++i) sum += all[i];
  sums[own] = sum;
  grid_sync(word);
}

}  // namespace orders
