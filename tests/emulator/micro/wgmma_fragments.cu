// Who holds what in wgmma's registers: accumulators and A operands, by the tables of wgmma_fragments.json.
#include "layouts.h"

using namespace pallasgen;

namespace {

constexpr int kScale = 256;  // element (i, j) of the product is 256 i + j

struct alignas(1024) Smem {
  f16 a[64 * 16], b[256 * 16];  // K-major without swizzle
};

// The place of element (i, k) among core matrices of 8 x 8, the two of a row group side by side.
__device__ int core_place(int i, int k) { return i / 8 * 128 + k / 8 * 64 + i % 8 * 8 + k % 8; }

__device__ uint64_t descriptor(const void* tile) {
  return descriptor_bits(ptx::shared_address(tile), 128, 256, Swizzle::kNone);
}

template <int N>
__device__ void fill_operands(Smem& smem) {
  for (int e = threadIdx.x; e < 64 * 16; e += 128) {
    const int i = e / 16, k = e % 16;
    smem.a[core_place(i, k)] = __float2half_rn(static_cast<float>(k == 0 ? i : k == 1 ? 1 : 0));
  }
  for (int e = threadIdx.x; e < N * 16; e += 128) {
    const int j = e / 16, k = e % 16;
    smem.b[core_place(j, k)] = __float2half_rn(static_cast<float>(k == 0 ? kScale : k == 1 ? j : 0));
  }
  fence_async_shared();
  __syncthreads();
}

template <int N>
__global__ __launch_bounds__(128, 1) void accumulator_kernel(float* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  fill_operands<N>(smem);
  float d[N / 2];
  ptx::wgmma_fence();
  if constexpr (N == 8) ptx::wgmma_m64n8k16_f32_f16<0, 0>(d, descriptor(smem.a), descriptor(smem.b), 0);
  if constexpr (N == 64) ptx::wgmma_m64n64k16_f32_f16<0, 0>(d, descriptor(smem.a), descriptor(smem.b), 0);
  if constexpr (N == 96) ptx::wgmma_m64n96k16_f32_f16<0, 0>(d, descriptor(smem.a), descriptor(smem.b), 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<0>();
  for (int v = 0; v < N / 2; ++v) out[threadIdx.x * (N / 2) + v] = d[v];
}

// A from registers against the unit matrix.
__global__ __launch_bounds__(128, 1) void a_kernel(const uint32_t* a, float* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  for (int e = threadIdx.x; e < 16 * 16; e += 128)
    smem.b[core_place(e / 16, e % 16)] = __float2half_rn(e / 16 == e % 16 ? 1.0f : 0.0f);
  fence_async_shared();
  __syncthreads();
  const uint32_t* r = a + 4 * threadIdx.x;
  const uint32_t a0 = r[0], a1 = r[1], a2 = r[2], a3 = r[3];
  float d[8];
  ptx::wgmma_fence();
  ptx::wgmma_m64n16k16_f32_f16_ra<0>(d, a0, a1, a2, a3, descriptor(smem.b), 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<0>();
  const int t = threadIdx.x;
  for (int v = 0; v < 8; ++v)
    out[(16 * (t / 32) + t % 32 / 4 + 8 * (v / 2 % 2)) * 16 + 8 * (v / 4) + 2 * (t % 4) + v % 2] = d[v];
}

template <int N>
void test_accumulator(const nlohmann::json& table) {
  const int values = table["values"];
  micro::check_equal(values, N / 2, "registers of m64n" + std::to_string(N));
  micro::Array<float> out(static_cast<size_t>(128 * values));
  micro::run(accumulator_kernel<N>, 1, 128, sizeof(Smem), out.device());
  out.download();
  for (int t = 0; t < 128; ++t)
    for (int v = 0; v < values; ++v) {
      const int row = table["coord"][t][v][0], column = table["coord"][t][v][1];
      micro::check_equal(out.host[static_cast<size_t>(t * values + v)], static_cast<float>(kScale * row + column),
                         "m64n" + std::to_string(N) + ", thread " + std::to_string(t) + ", value " + std::to_string(v));
    }
}

void test_a(const nlohmann::json& table) {
  std::vector<uint32_t> registers(128 * 4);
  for (int t = 0; t < 128; ++t)
    for (int v = 0; v < 8; ++v) {
      const int row = table["coord"][t][v][0], column = table["coord"][t][v][1];
      const f16 value = __float2half_rn(static_cast<float>(row * 16 + column));
      uint16_t bits;
      memcpy(&bits, &value, sizeof bits);
      registers[static_cast<size_t>(4 * t + v / 2)] |= static_cast<uint32_t>(bits) << 16 * (v % 2);
    }
  const micro::Array<uint32_t> a(registers);
  micro::Array<float> out(size_t{64 * 16});
  micro::run(a_kernel, 1, 128, sizeof(Smem), a.device(), out.device());
  out.download();
  for (int e = 0; e < 64 * 16; ++e)
    micro::check_equal(out.host[static_cast<size_t>(e)], static_cast<float>(e),
                       "A in registers, element " + std::to_string(e));
}

}  // namespace

int main(int argc, char** argv) {
  const nlohmann::json tables = micro::table(argc, argv, "wgmma_fragments");
  test_accumulator<8>(tables["d_64x8"]);
  test_accumulator<64>(tables["d_64x64"]);
  test_accumulator<96>(tables["d_64x96"]);
  test_a(tables["a_64x16_16bit"]);
  return micro::finish();
}
