// Two kernels on two streams with an event between, one of which reads through the read-only cache, and which can make
// one planted mistake: planted_streams NAME. Exits as planted does.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdio>
#include <pallasgen/device.cuh>
#include <vector>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr int kThreads = 64, kManyCtas = 400;

__global__ void write_kernel(int* table, int* numbers, Bug bug) {
  const int t = static_cast<int>(threadIdx.x);
  if (bug == Bug::kReadOnlyAfterWrite) table[t] = t;
  __syncthreads();
  numbers[t] = 10 * __ldg(table + kThreads - 1 - t);
  __syncthreads();
  if (bug == Bug::kReadOnlyBeforeWrite) table[t] = t;
}

__global__ void fill_kernel(int* many) { many[blockIdx.x * kThreads + threadIdx.x] = 1; }

// Reads through the read-only cache what another kernel has written.
__global__ void double_kernel(const int* numbers, int* twice) { twice[threadIdx.x] = 2 * __ldg(numbers + threadIdx.x); }

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  constexpr size_t kBytes = kThreads * sizeof(int);
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t event = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  int *table = nullptr, *numbers = nullptr, *twice = nullptr, *got = nullptr, values[kThreads];
  for (int t = 0; t < kThreads; ++t) values[t] = t;
  cudaMalloc(reinterpret_cast<void**>(&table), kBytes);
  cudaMalloc(reinterpret_cast<void**>(&numbers), kBytes);
  cudaMalloc(reinterpret_cast<void**>(&twice), kBytes);
  cudaMallocHost(reinterpret_cast<void**>(&got), kBytes);
  cudaMemcpy(table, values, kBytes, cudaMemcpyHostToDevice);
  cudaMemsetAsync(numbers, 0, kBytes, bug == Bug::kMemsetOnOtherStream ? second : first);
  if (bug == Bug::kEventTooEarly) cudaEventRecord(event, first);
  bool ok = launch(write_kernel, 1, kThreads, 0, first, table, numbers, bug) == cudaSuccess;
  if (bug != Bug::kEventTooEarly) cudaEventRecord(event, first);
  if (bug != Bug::kNoEvent) cudaStreamWaitEvent(second, event, 0);
  ok = ok && launch(double_kernel, 1, kThreads, 0, second, numbers, twice) == cudaSuccess;
  cudaMemcpyAsync(got, twice, kBytes, cudaMemcpyDeviceToHost, bug == Bug::kCopyOnOtherStream ? first : second);
  if (bug != Bug::kNoWaitOfHost) cudaStreamSynchronize(second);
  long wrong = 0;
  if (bug != Bug::kCopyOnOtherStream)
    for (int t = 0; t < kThreads; ++t) wrong += got[t] != 20 * (kThreads - 1 - t);
  // After the host's wait the default stream may write, as may later work in a stream that blocks.
  cudaStream_t third = nullptr;
  cudaStreamCreate(&third);
  cudaDeviceSynchronize();
  cudaMemset(numbers, 0, kBytes);
  ok = ok && launch(double_kernel, 1, kThreads, 0, third, numbers, twice) == cudaSuccess;
  cudaMemcpy(got, twice, kBytes, cudaMemcpyDeviceToHost);
  for (int t = 0; t < kThreads; ++t) wrong += got[t] != 0;
  // The copy's stream must wait for all CTAs.
  int* many = nullptr;
  std::vector<int> ones(size_t{kManyCtas} * kThreads);
  cudaMallocAsync(reinterpret_cast<void**>(&many), ones.size() * sizeof(int), first);
  ok = ok && launch(fill_kernel, kManyCtas, kThreads, 0, first, many) == cudaSuccess;
  cudaMemcpyAsync(ones.data(), many, ones.size() * sizeof(int), cudaMemcpyDeviceToHost,
                  bug == Bug::kCopyOfManyCtas ? second : first);
  for (const int one : ones) wrong += one != 1;
  std::printf("%ld wrong\n", wrong);
  return ok ? wrong != 0 : 2;
}
