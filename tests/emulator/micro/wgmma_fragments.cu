// The elements that wgmma's registers hold: accumulators and A operands, by the tables of wgmma_fragments.json.
#include <cmath>
#include <pallasgen/ptx/wgmma_f16_f16.cuh>
#include <pallasgen/ptx/wgmma_f8.cuh>
#include <pallasgen/ptx/wgmma_f8_f16.cuh>
#include <pallasgen/ptx/wgmma_i8.cuh>
#include <pallasgen/ptx/wgmma_tf32.cuh>

#include "layouts.h"

using namespace pallasgen;

namespace {

constexpr int kScale = 256;  // element (i, j) of the product is 256 i + j

struct alignas(1024) Smem {
  f16 a[64 * 16], b[256 * 16];  // K-major without swizzle
};

// The place of element (i, k) in core matrices of 8 x 8; the two of a row group are consecutive.
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

// Multiplies A from registers by the unit matrix.
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

// An accumulator that is not f32, by the type of its products.
struct SumOfF16 {};
struct SumOfF8 {};
struct SumOfI8 {};

template <class Kind>
__global__ __launch_bounds__(128, 1) void other_accumulator_kernel(uint32_t* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  unsigned char* a = reinterpret_cast<unsigned char*>(smem.a);
  unsigned char* b = reinterpret_cast<unsigned char*>(smem.b);
  // Element (i, k) of 32-byte rows of core matrices, in bytes.
  const auto place = [](int i, int byte) { return i / 8 * 256 + byte / 16 * 128 + i % 8 * 16 + byte % 16; };
  for (int e = threadIdx.x; e < 64 * 32; e += 128) a[place(e / 32, e % 32)] = b[place(e / 32, e % 32)] = 0;
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i = threadIdx.x;
    if constexpr (kIsSame<Kind, SumOfF16>) {
      const f16 values_a[] = {__int2half_rn(i), __int2half_rn(1)}, values_b[] = {__int2half_rn(16), __int2half_rn(i)};
      memcpy(a + place(i, 0), values_a, 4);
      memcpy(b + place(i, 0), values_b, 4);
    } else if constexpr (kIsSame<Kind, SumOfI8>) {
      a[place(i, 0)] = static_cast<unsigned char>(-i);  // s8
      a[place(i, 1)] = 1;
      b[place(i, 0)] = 200;  // u8
      b[place(i, 1)] = static_cast<unsigned char>(i);
    } else {
      a[place(i, 0)] = static_cast<unsigned char>(i + 8);  // e5m2: small numbers
      b[place(i, 0)] = 0x40;                               // e4m3: 2
    }
  }
  fence_async_shared();
  __syncthreads();
  uint32_t d[32];
  constexpr int count = kIsSame<Kind, SumOfI8> ? 32 : 16;
  ptx::wgmma_fence();
  if constexpr (kIsSame<Kind, SumOfF16>)
    ptx::wgmma_m64n64k16_f16_f16<0, 0>(reinterpret_cast<uint32_t(&)[16]>(d), descriptor(a), descriptor(b), 0);
  if constexpr (kIsSame<Kind, SumOfF8>)
    ptx::wgmma_m64n64k32_f16_e5m2_e4m3(reinterpret_cast<uint32_t(&)[16]>(d), descriptor(a), descriptor(b), 0);
  if constexpr (kIsSame<Kind, SumOfI8>)
    ptx::wgmma_m64n64k32_s32_s8_u8(reinterpret_cast<int32_t(&)[32]>(d), descriptor(a), descriptor(b), 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<0>();
  for (int v = 0; v < count; ++v) out[threadIdx.x * count + v] = d[v];
}

// Tests the accumulator m64n64 of another type: `wanted` returns its bits, 16 or 32.
template <class Kind, class Wanted>
void test_other_accumulator(const nlohmann::json& table, const std::string& name, Wanted wanted) {
  constexpr bool wide = kIsSame<Kind, SumOfI8>;
  micro::Array<uint32_t> out(size_t{128 * (wide ? 32 : 16)});
  micro::run(other_accumulator_kernel<Kind>, 1, 128, sizeof(Smem), out.device());
  out.download();
  for (int t = 0; t < 128; ++t)
    for (int v = 0; v < 32; ++v) {
      const int row = table["coord"][t][v][0], column = table["coord"][t][v][1];
      const uint32_t word = out.host[static_cast<size_t>(wide ? t * 32 + v : t * 16 + v / 2)];
      const uint32_t got = wide ? word : word >> 16 * (v % 2) & 0xffff;
      micro::check_equal(got, wanted(row, column),
                         name + ", thread " + std::to_string(t) + ", value " + std::to_string(v));
    }
}

uint32_t half_bits(float x) {
  const f16 value = __float2half_rn(x);
  uint16_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Multiplies A from registers, for tf32 (T is float) and bytes (u8), by the unit matrix.
template <class T>
__global__ __launch_bounds__(128, 1) void other_a_kernel(const uint32_t* a, T* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  constexpr int size = kIsSame<T, float> ? 4 : 1, depth = 32 / size;
  unsigned char* b = reinterpret_cast<unsigned char*>(smem.b);
  for (int e = threadIdx.x; e < depth * depth; e += 128) {
    const int i = e / depth, byte = e % depth * size;
    unsigned char* p = b + i / 8 * 256 + byte / 16 * 128 + i % 8 * 16 + byte % 16;
    if constexpr (kIsSame<T, float>) {
      const float one = i == e % depth ? 1.0f : 0.0f;
      memcpy(p, &one, sizeof one);
    } else {
      *p = i == e % depth;
    }
  }
  fence_async_shared();
  __syncthreads();
  const uint32_t* r = a + 4 * threadIdx.x;
  const uint32_t a0 = r[0], a1 = r[1], a2 = r[2], a3 = r[3];
  T d[depth / 2];
  ptx::wgmma_fence();
  if constexpr (kIsSame<T, float>)
    ptx::wgmma_m64n8k8_f32_tf32_ra(d, a0, a1, a2, a3, descriptor(b), 0);
  else
    ptx::wgmma_m64n32k32_s32_u8_u8_ra(d, a0, a1, a2, a3, descriptor(b), 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<0>();
  const int t = threadIdx.x;
  for (int v = 0; v < depth / 2; ++v)
    out[(16 * (t / 32) + t % 32 / 4 + 8 * (v / 2 % 2)) * depth + 8 * (v / 4) + 2 * (t % 4) + v % 2] = d[v];
}

template <class T>
void test_other_a(const nlohmann::json& table, const std::string& name) {
  constexpr int depth = kIsSame<T, float> ? 8 : 32, values = depth / 2, numbers = kIsSame<T, float> ? 2039 : 251;
  micro::check_equal(table["values"].get<int>(), values, name + ", values");
  std::vector<uint32_t> registers(128 * 4);
  for (int t = 0; t < 128; ++t)
    for (int v = 0; v < values; ++v) {
      const int row = table["coord"][t][v][0], column = table["coord"][t][v][1], x = (row * depth + column) % numbers;
      if constexpr (kIsSame<T, float>) {
        const float value = static_cast<float>(x);
        memcpy(&registers[static_cast<size_t>(4 * t + v)], &value, sizeof value);
      } else {
        registers[static_cast<size_t>(4 * t + v / 4)] |= static_cast<uint32_t>(x) << 8 * (v % 4);
      }
    }
  const micro::Array<uint32_t> a(registers);
  micro::Array<T> out(size_t{64 * depth});
  micro::run(other_a_kernel<T>, 1, 128, sizeof(Smem), a.device(), out.device());
  out.download();
  for (int e = 0; e < 64 * depth; ++e)
    micro::check_equal(out.host[static_cast<size_t>(e)], static_cast<T>(e % numbers),
                       name + ", element " + std::to_string(e));
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
  test_other_accumulator<SumOfF16>(tables["d_64x64"], "f16 sums of f16", [](int row, int column) {
    return half_bits(static_cast<float>(16 * row + column));
  });
  test_other_accumulator<SumOfF8>(tables["d_64x64"], "f16 sums of 8-bit numbers", [](int row, int) {
    // e5m2 with the bits of row + 8: (4 + mantissa) * 2 ^ (exponent - 17), exponent 2 up; times 2.
    const int bits = row + 8;
    return half_bits(std::ldexp(static_cast<float>(4 + bits % 4), bits / 4 - 16));
  });
  test_other_accumulator<SumOfI8>(tables["d_64x64"], "s32 sums",
                                  [](int row, int column) { return static_cast<uint32_t>(-200 * row + column); });
  test_other_a<float>(tables["a_64x8_tf32"], "A of tf32 in registers");
  test_other_a<int32_t>(tables["a_64x32_8bit"], "A of bytes in registers");
  return micro::finish();
}
