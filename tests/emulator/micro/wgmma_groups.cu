// wgmma in groups: instructions on one accumulator follow each other without a fence, wait_group leaves a number of
// groups in flight; accumulators of finished groups may be read and written meanwhile, but not shared memory and
// registers that a group still reads.
#include "micro.h"

using namespace pallasgen;

namespace {

constexpr int kN = 16, kSteps = 6;

// Tiles without swizzle: core matrices of 8 rows by 16 bytes; the two of a row group are consecutive.
struct alignas(1024) Smem {
  bf16 a[kSteps][64 * 16], b[kSteps][kN * 16];
};

__device__ uint64_t tile(const bf16* p) { return descriptor_bits(ptx::shared_address(p), 128, 256, Swizzle::kNone); }

__host__ __device__ int core_place(int row, int k) { return row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8; }

__host__ __device__ float a_value(int step, int row, int k) { return static_cast<float>((row + 3 * k + step) % 5 - 2); }
__host__ __device__ float b_value(int step, int column, int k) {
  return static_cast<float>((2 * column + k + 2 * step) % 7 - 3);
}

__device__ void fill(Smem& smem, int step, int values_of) {
  for (int i = threadIdx.x; i < 64 * 16; i += 128)
    smem.a[step][core_place(i / 16, i % 16)] = __float2bfloat16(a_value(values_of, i / 16, i % 16));
  for (int i = threadIdx.x; i < kN * 16; i += 128)
    smem.b[step][core_place(i / 16, i % 16)] = __float2bfloat16(b_value(values_of, i / 16, i % 16));
}

// Puts values in their registers before the fence: the compiler could otherwise move their computation after it.
__device__ void settle(float (&d)[kN / 2]) {
  for (float& x : d) ptx::register_fence(x);
}

__device__ void store(const float (&d)[kN / 2], float* out) {
  const int t = threadIdx.x;
  for (int v = 0; v < kN / 2; ++v)
    out[(16 * (t / 32) + t % 32 / 4 + 8 * (v / 2 % 2)) * kN + 8 * (v / 4) + 2 * (t % 4) + v % 2] = d[v];
}

// out: steps 0 and 1 added up; step 2; 10 and step 3, whose tile is then overwritten; the next step.
__global__ __launch_bounds__(128, 1) void groups_kernel(float* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  for (int step = 0; step < kSteps; ++step) fill(smem, step, step);
  fence_async_shared();
  __syncthreads();
  float first[kN / 2], second[kN / 2], third[kN / 2];
  for (float& x : third) x = 10.0f;
  settle(third);
  ptx::wgmma_fence();
  // Group 0: two instructions on one accumulator; the first does not read its earlier content.
  ptx::wgmma_m64n16k16_f32_bf16<0, 0>(first, tile(smem.a[0]), tile(smem.b[0]), 0);
  ptx::wgmma_m64n16k16_f32_bf16<0, 0>(first, tile(smem.a[1]), tile(smem.b[1]), 1);
  ptx::wgmma_commit_group();
  ptx::wgmma_m64n16k16_f32_bf16<0, 0>(second, tile(smem.a[2]), tile(smem.b[2]), 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_m64n16k16_f32_bf16<0, 0>(third, tile(smem.a[3]), tile(smem.b[3]), 1);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<2>();
  settle(first);
  store(first, out);
  ptx::wgmma_wait_group<0>();
  store(second, out + 64 * kN);
  store(third, out + 2 * 64 * kN);
  // Step 3 has been read: its tile may be written again, and its accumulator used again after a fence.
  __syncthreads();
  fill(smem, 3, 5);
  fence_async_shared();
  __syncthreads();
  for (float& x : third) x = 1.0f;
  settle(third);
  ptx::wgmma_fence();
  ptx::wgmma_m64n16k16_f32_bf16<0, 0>(third, tile(smem.a[3]), tile(smem.b[3]), 1);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<0>();
  store(third, out + 3 * 64 * kN);
}

// A in registers: out is steps 0 and 2 by one operand in two groups; step 1 by another, meanwhile; then step 3 by
// registers that were written again when nothing in flight read them, and fenced.
__global__ __launch_bounds__(128, 1) void registers_kernel(float* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  for (int step = 0; step < kSteps; ++step) fill(smem, step, step);
  fence_async_shared();
  __syncthreads();
  const auto load = [&](uint32_t(&a)[4], int step) {
    const int t = threadIdx.x;
    for (int r = 0; r < 4; ++r) {
      const int row = 16 * (t / 32) + t % 32 / 4 + 8 * (r % 2), k = 8 * (r / 2) + 2 * (t % 4);
      a[r] = pack_pair(__float2bfloat16(a_value(step, row, k)), __float2bfloat16(a_value(step, row, k + 1)));
      ptx::register_fence(a[r]);
    }
  };
  float first[kN / 2], second[kN / 2];
  uint32_t even[4], odd[4];
  load(even, 0);
  load(odd, 1);
  ptx::wgmma_fence();
  ptx::wgmma_m64n16k16_f32_bf16_ra<0>(first, even[0], even[1], even[2], even[3], tile(smem.b[0]), 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_m64n16k16_f32_bf16_ra<0>(second, odd[0], odd[1], odd[2], odd[3], tile(smem.b[1]), 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_m64n16k16_f32_bf16_ra<0>(first, even[0], even[1], even[2], even[3], tile(smem.b[2]), 1);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<1>();
  settle(second);
  store(second, out + 64 * kN);
  load(odd, 3);  // its group is done; that of the others is not
  settle(second);
  ptx::wgmma_fence();
  ptx::wgmma_m64n16k16_f32_bf16_ra<0>(second, odd[0], odd[1], odd[2], odd[3], tile(smem.b[3]), 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<0>();
  settle(first);
  settle(second);
  store(first, out);
  store(second, out + 2 * 64 * kN);
}

// The product of operand A of one step and B of another.
float product(int step_a, int step_b, int row, int column) {
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += a_value(step_a, row, k) * b_value(step_b, column, k);
  return sum;
}

float product(int step, int row, int column) { return product(step, step, row, column); }

}  // namespace

int main() {
  micro::Array<float> out(size_t{4 * 64 * kN});
  micro::run(groups_kernel, 1, 128, sizeof(Smem), out.device());
  out.download();
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < kN; ++column) {
      const float wanted[] = {product(0, row, column) + product(1, row, column), product(2, row, column),
                              10.0f + product(3, row, column), 1.0f + product(5, row, column)};
      for (int part = 0; part < 4; ++part)
        micro::check_equal(out.host[static_cast<size_t>((part * 64 + row) * kN + column)], wanted[part],
                           "group " + std::to_string(part));
    }
  micro::run(registers_kernel, 1, 128, sizeof(Smem), out.device());
  out.download();
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < kN; ++column) {
      const float wanted[] = {product(0, 0, row, column) + product(0, 2, row, column), product(1, 1, row, column),
                              product(3, 3, row, column)};
      for (int part = 0; part < 3; ++part)
        micro::check_equal(out.host[static_cast<size_t>((part * 64 + row) * kN + column)], wanted[part],
                           "A in registers, group " + std::to_string(part));
    }
  return micro::finish();
}
