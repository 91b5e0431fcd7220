// Two products in each step, as in attention: s = a b with operands that threads write, then acc = 2 acc + s v with s
// from registers. cp.async copies b ahead of its step. It can make one planted mistake: planted_products NAME. Exits as
// planted does.
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdio>
#include <cstring>
#include <pallasgen/device.cuh>
#include <vector>

#include "bugs.h"

using namespace pallasgen;

namespace {

constexpr int kRows = 64, kN = 16, kDepth = 16, kSteps = 5, kSlots = 2, kThreads = 128;

// Tiles without swizzle: core matrices of 8 rows by 16 bytes; the two of a row group are consecutive.
struct alignas(1024) Smem {
  bf16 a[kRows * kDepth], b[kN * kDepth], v[kN * kDepth];
  bf16 copied[kSlots][kN * kDepth];  // b of a step, [column][k]
  Barrier full[kSlots];
};

__device__ uint64_t tile(const bf16* p) { return descriptor_bits(ptx::shared_address(p), 128, 256, Swizzle::kNone); }

__host__ __device__ int core_place(int row, int k) { return row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8; }

__host__ __device__ float a_value(int step, int row, int k) { return static_cast<float>((row + 2 * k + step) % 3 - 1); }
__host__ __device__ float v_value(int column, int k) { return static_cast<float>((column + k / 3) % 3 - 1); }

// Copies by warp 0, 16 bytes a thread, which arrive when they are complete.
__device__ void copy(Smem& smem, const bf16* b, int step, Bug bug) {
  if (step == kSteps || threadIdx.x >= 32) return;
  const int slot = step % kSlots, first = static_cast<int>(threadIdx.x) * 8;
  if (bug == Bug::kArrivalBeforeCopies) copy_async_arrive(smem.full[slot]);
  ptx::cp_async<16>(ptx::shared_address(&smem.copied[slot][first]), b + step * kN * kDepth + first, 16);
  if (bug != Bug::kArrivalBeforeCopies) copy_async_arrive(smem.full[slot]);
}

__device__ uint32_t packed(float low, float high) {
  const bf16 pair[] = {__float2bfloat16_rn(low), __float2bfloat16_rn(high)};
  uint32_t bits;
  memcpy(&bits, pair, sizeof bits);
  return bits;
}

template <int Count>
__device__ void settle(float (&d)[Count]) {
  for (float& x : d) ptx::register_fence(x);
}

__global__ __launch_bounds__(kThreads, 1) void products_kernel(const bf16* b, float* out, Bug bug) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  if (t == 0) {
    for (int slot = 0; slot < kSlots; ++slot) smem.full[slot].init(32, "full");
    fence_barrier_init();
  }
  for (int i = t; i < kN * kDepth; i += kThreads)
    smem.v[core_place(i / kDepth, i % kDepth)] = __float2bfloat16_rn(v_value(i / kDepth, i % kDepth));
  fence_async_shared();
  __syncthreads();
  copy(smem, b, 0, bug);
  float s[kN / 2], acc[kN / 2] = {};
  uint32_t p[4];
  for (int step = 0; step < kSteps; ++step) {
    const int slot = step % kSlots;
    smem.full[slot].wait(static_cast<uint32_t>(step / kSlots % 2));
    if (bug != Bug::kNoSyncBeforeReuse) __syncthreads();  // all warps have multiplied by b
    copy(smem, b, step + 1, bug);
    for (int i = t; i < kN * kDepth; i += kThreads) smem.b[core_place(i / kDepth, i % kDepth)] = smem.copied[slot][i];
    fence_async_shared();
    if (bug != Bug::kNoSyncOfOperand) __syncthreads();  // all of b has been written
    // Each warp reads only its own rows of a.
    const int row0 = 16 * (bug == Bug::kRowsOfAnotherWarp ? (warp + 1) % 4 : warp);
    for (int i = lane; i < 16 * kDepth; i += 32) {
      const int row = row0 + i / kDepth, k = i % kDepth;
      smem.a[core_place(row, k)] = __float2bfloat16_rn(a_value(step, row, k));
    }
    fence_async_shared();
    __syncwarp();
    ptx::wgmma_fence();
    ptx::wgmma_m64n16k16_f32_bf16<0, 0>(s, tile(smem.a), tile(smem.b), 0);
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
    settle(s);
    if (bug == Bug::kFenceBeforeSums || bug == Bug::kFenceBeforeOperand) {
      if (bug == Bug::kFenceBeforeSums)
        for (int r = 0; r < 4; ++r) p[r] = packed(s[2 * r], s[2 * r + 1]);
      else
        for (float& x : acc) x *= 2;
      ptx::wgmma_fence();
    }
    if (bug != Bug::kFenceBeforeOperand)
      for (float& x : acc) x *= 2;
    if (bug != Bug::kFenceBeforeSums)
      for (int r = 0; r < 4; ++r) p[r] = packed(s[2 * r], s[2 * r + 1]);
    settle(acc);
    if (bug != Bug::kFenceBeforeSums && bug != Bug::kFenceBeforeOperand && bug != Bug::kOneFenceOfTwo)
      ptx::wgmma_fence();
    ptx::wgmma_m64n16k16_f32_bf16_ra<0>(acc, p[0], p[1], p[2], p[3], tile(smem.v), 1);
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
    settle(acc);
  }
  for (int e = 0; e < kN / 2; ++e)
    out[(16 * warp + lane / 4 + 8 * (e / 2 % 2)) * kN + 8 * (e / 4) + 2 * (t % 4) + e % 2] = acc[e];
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  std::vector<float> values(kSteps * kN * kDepth), got(kRows * kN);
  std::vector<bf16> b(values.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 5 + i / 19) % 3) - 1.0f;
  for (size_t i = 0; i < values.size(); ++i) b[i] = __float2bfloat16_rn(values[i]);
  bf16* db = nullptr;
  float* out = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&db), b.size() * sizeof(bf16));
  cudaMalloc(reinterpret_cast<void**>(&out), got.size() * sizeof(float));
  cudaMemcpy(db, b.data(), b.size() * sizeof(bf16), cudaMemcpyHostToDevice);
  if (launch(products_kernel, 1, kThreads, sizeof(Smem), nullptr, db, out, bug) != cudaSuccess) return 2;
  cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  long wrong = 0;
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kN; ++column) {
      float wanted = 0;
      for (int step = 0; step < kSteps; ++step) {
        wanted *= 2;
        for (int j = 0; j < kN; ++j) {
          float s = 0;
          for (int k = 0; k < kDepth; ++k)
            s += a_value(step, row, k) * values[static_cast<size_t>((step * kN + j) * kDepth + k)];
          wanted += s * v_value(column, j);
        }
      }
      wrong += !(got[static_cast<size_t>(row * kN + column)] == wanted);
    }
  std::printf("%ld wrong\n", wrong);
  return wrong != 0;
}
