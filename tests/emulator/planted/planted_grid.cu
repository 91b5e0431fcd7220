// Two launches, one of CTAs that all run at the same time and one that depends on it, with cp.async and reductions by
// TMA, which can make one planted mistake: planted_grid NAME. Exits as planted does.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdio>
#include <pallasgen/device.cuh>
#include <pallasgen/grid.cuh>
#include <pallasgen/ptx/bulk.cuh>
#include <pallasgen/ptx/cp_async.cuh>
#include <pallasgen/ptx/griddep.cuh>
#include <vector>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr int kCtas = 3, kThreads = 64;

struct alignas(1024) Smem {
  float in[kThreads];
};

__global__ __launch_bounds__(kThreads, 1) void first_kernel(const __grid_constant__ TensorMap sums, uint32_t* word,
                                                            const float* array, float* copies, float* parts, float* out,
                                                            float* total, Bug bug) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int cta = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
  // Copies the array through shared memory to `copies`, and adds it to `total`, which starts as zeros.
  ptx::cp_async<4>(ptx::shared_address(&smem.in[t]), array + cta * kThreads + t, 4);
  ptx::cp_async_commit_group();
  if (bug != Bug::kNoWaitForCopies) ptx::cp_async_wait_group<0>();
  if (bug != Bug::kNoFenceAfterCopies) fence_async_shared();
  __syncthreads();
  const float mine = smem.in[t];
  if (bug == Bug::kNoWaitForCopies) ptx::cp_async_wait_group<0>();
  if (t == 0) {
    ptx::bulk_store(copies + cta * kThreads, ptx::shared_address(smem.in), sizeof smem.in);
    tma_reduce_add(sums, {0, 0}, smem.in);
    tma_store_commit();
    tma_store_wait<0>();
  }
  if (bug == Bug::kStoreIntoReduction && cta == 1) total[t] = 0.0f;
  // Adds the neighbour's value.
  parts[cta * kThreads + t] = mine;
  if (bug != Bug::kNoGridSync && (bug != Bug::kOneCtaMissing || cta != 1)) grid_sync(word);
  at(out, {bug == Bug::kExtentsTooLarge ? kCtas + 1 : kCtas, kThreads}, {cta, t}) =
      parts[(cta + 1) % kCtas * kThreads + t];
}

__global__ void second_kernel(const float* out, float* twice, Bug bug) {
  if (bug != Bug::kNoWaitForGrid) ptx::griddepcontrol_wait();
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  twice[i] = 2.0f * out[i];
}

float* device_array(const std::vector<float>& values) {
  float* p = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&p), values.size() * sizeof(float));
  cudaMemcpy(p, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return p;
}

long count_wrong(const float* p, const std::vector<float>& wanted) {
  std::vector<float> got(wanted.size());
  cudaMemcpy(got.data(), p, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  long wrong = 0;
  for (size_t i = 0; i < got.size(); ++i) wrong += !(got[i] == wanted[i]);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  constexpr size_t size = size_t{kCtas} * kThreads;
  std::vector<float> values(size), shifted(size), total(kThreads);
  for (size_t i = 0; i < size; ++i) values[i] = static_cast<float>(i % 97);
  for (size_t i = 0; i < size; ++i) {
    shifted[i] = 2.0f * values[(i + kThreads) % size];
    total[i % kThreads] += values[i];
  }
  const std::vector<float> zeros(size), one_row(kThreads);
  float *array = device_array(values), *copies = device_array(zeros), *out = device_array(zeros),
        *twice = device_array(zeros), *sums = device_array(one_row);
  Workspace workspace(device_array(std::vector<float>(1024)));
  uint32_t* word = workspace.take<uint32_t>();
  float* parts = workspace.take<float>({kCtas * kThreads - (bug == Bug::kPartTooSmall)});
  TensorMaps maps("grid");
  const TensorMap map =
      maps.add("sums", sums, {bug == Bug::kMapTooLarge ? 2 : 1, kThreads}, {1, kThreads}, Swizzle::kNone);
  if (!workspace.serves(1024 * sizeof(float))) return 2;
  if (launch(first_kernel, Grid(kCtas).cooperative(), kThreads, sizeof(Smem), nullptr, map, word, array, copies, parts,
             out, sums, bug) != cudaSuccess ||
      launch(second_kernel, Grid(kCtas).dependent(), kThreads, 0, nullptr, out, twice, bug) != cudaSuccess) {
    std::printf("launch failed: %s\n", last_error());
    return 2;
  }
  const long wrong = count_wrong(copies, values) + count_wrong(twice, shifted) + count_wrong(sums, total);
  std::printf("%ld wrong\n", wrong);
  return wrong != 0;
}
