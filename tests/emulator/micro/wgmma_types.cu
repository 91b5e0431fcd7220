// wgmma of every type of operands and sums through the runtime's typed functions: A from shared memory and from
// registers, K-major tiles of one 128-byte box, four steps. Operands are small integers, so that every sum is exact,
// except those of random numbers, whose bits must be those of the hardware.
#include <algorithm>
#include <cmath>
#include <pallasgen/wgmma_f16_f16.cuh>
#include <pallasgen/wgmma_f8.cuh>
#include <pallasgen/wgmma_f8_f16.cuh>
#include <pallasgen/wgmma_i8.cuh>
#include <pallasgen/wgmma_tf32.cuh>

#include "layouts.h"

using namespace pallasgen;

namespace {

using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;

constexpr int kMaxN = 256, kSlab = 128;

struct alignas(1024) Smem {
  unsigned char a[64 * kSlab], b[kMaxN * kSlab];
};

// A type of sums in registers, and its value.
template <class D, int N>
struct Sum {
  using Type = Fragment<D, WgmmaLayout<64, N>>;
  static __device__ float get(const Type& d, int e) { return static_cast<float>(d[e]); }
};
template <int N>
struct Sum<f16, N> {
  using Type = Packed<f16, WgmmaLayout<64, N>>;
  static __device__ float get(const Type& d, int e) {
    f16 pair[2];
    memcpy(static_cast<void*>(pair), &d.part[0][e / 2], sizeof pair);
    return __half2float(pair[e % 2]);
  }
};

template <int N, class Acc, class A, class B>
__device__ __forceinline__ void step(Acc& acc, const A& a, B b, bool accumulate) {
  constexpr int size = sizeof(typename B::Element);
#define PALLASGEN_STEP(M)                                                       \
  if constexpr (N == M && size == 1) wgmma_m64n##M##k32(acc, a, b, accumulate); \
  if constexpr (N == M && size == 2) wgmma_m64n##M##k16(acc, a, b, accumulate); \
  if constexpr (N == M && size == 4) wgmma_m64n##M##k8(acc, a, b, accumulate);
  PALLASGEN_STEP(8)
  PALLASGEN_STEP(48)
  PALLASGEN_STEP(256)
#undef PALLASGEN_STEP
}

template <class TA, class TB, class D, int N, bool FromRegisters>
__global__ __launch_bounds__(128, 1) void kernel(const TA* a, const TB* b, float* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  constexpr int size = sizeof(TA), depth = kSlab / size, width = 32 / size;
  const auto copy = [](auto* to, const auto* from, int rows) {
    for (int e = threadIdx.x; e < rows * depth; e += 128) {
      const uint32_t byte = swizzled<Swizzle::k128B>(static_cast<uint32_t>(e / depth * kSlab + e % depth * size));
      to[byte / size] = from[e];
    }
  };
  TA* tile_a = reinterpret_cast<TA*>(smem.a);
  TB* tile_b = reinterpret_cast<TB*>(smem.b);
  copy(tile_a, a, 64);
  copy(tile_b, b, N);
  fence_async_shared();
  __syncthreads();
  Fragment<TA, WgmmaOperandLayout<64, width, size>> operand[4];
  Packed<TA, WgmmaOperandLayout<64, width, size>> packed[4];
  Packed<TA, WgmmaLayout<64, 16>> pairs[4];  // the same for elements of 16 bits
#pragma unroll
  for (int s = 0; s < 4; ++s) {
#pragma unroll
    for (int e = 0; e < operand[s].size; ++e)
      operand[s][e] = a[operand[s].row(e) * depth + s * width + operand[s].column(e)];
    packed[s] = pack_operand(operand[s]);
    if constexpr (size == 2) memcpy(&pairs[s], &packed[s], sizeof packed[s]);
  }
  const auto descriptor_a = descriptor_k_major<Swizzle::k128B>(tile_a);
  const auto descriptor_b = descriptor_k_major<Swizzle::k128B>(tile_b);
  typename Sum<D, N>::Type acc;
  wgmma_fence();
#pragma unroll
  for (int s = 0; s < 4; ++s) {
    if constexpr (FromRegisters && size == 2) {
      step<N>(acc, pairs[s], descriptor_b.advance_k(s), s > 0);
    } else if constexpr (FromRegisters) {
      step<N>(acc, packed[s], descriptor_b.advance_k(s), s > 0);
    } else {
      step<N>(acc, descriptor_a.advance_k(s), descriptor_b.advance_k(s), s > 0);
    }
  }
  wgmma_commit();
  wgmma_wait<0>(acc);
  using Places = Fragment<float, WgmmaLayout<64, N>>;
#pragma unroll
  for (int e = 0; e < N / 2; ++e) out[Places::row(e) * N + Places::column(e)] = Sum<D, N>::get(acc, e);
}

// Integers that the type holds exactly, and whose sums of 128 products stay below 2048.
template <class T>
int small(int x) {
  return kIsSame<T, u8> ? x % 5 : x % 5 - 2;
}
template <class T>
T element(int x) {
  if constexpr (kIsSame<T, f16>)
    return __float2half_rn(static_cast<float>(x));
  else if constexpr (kIsSame<T, bf16>)
    return __float2bfloat16_rn(static_cast<float>(x));
  else if constexpr (sizeof(T) == 1 && !kIsSame<T, i8> && !kIsSame<T, u8>)
    return T(static_cast<float>(x));
  else
    return static_cast<T>(x);
}

template <class TA, class TB, class D, int N>
void test(const std::string& name) {
  constexpr int depth = kSlab / static_cast<int>(sizeof(TA));
  std::vector<TA> a;
  std::vector<TB> b;
  for (int e = 0; e < 64 * depth; ++e) a.push_back(element<TA>(small<TA>(e * 7 + e / depth)));
  for (int e = 0; e < N * depth; ++e) b.push_back(element<TB>(small<TB>(e * 3 + e / depth)));
  const micro::Array<TA> array_a(a);
  const micro::Array<TB> array_b(b);
  for (const bool from_registers : {false, true}) {
    micro::Array<float> out(size_t{64 * N});
    const auto go = [&](auto* k) {
      micro::run(k, 1, 128, sizeof(Smem), array_a.device(), array_b.device(), out.device());
    };
    from_registers ? go(kernel<TA, TB, D, N, true>) : go(kernel<TA, TB, D, N, false>);
    out.download();
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < N; ++j) {
        int wanted = 0;
        for (int k = 0; k < depth; ++k) {
          const int x = i * depth + k, y = j * depth + k;
          wanted += small<TA>(x * 7 + x / depth) * small<TB>(y * 3 + y / depth);
        }
        micro::check_equal(out.host[static_cast<size_t>(i * N + j)], static_cast<float>(wanted),
                           name + (from_registers ? ", A in registers" : "") + ", n " + std::to_string(N) + ", (" +
                               std::to_string(i) + ", " + std::to_string(j) + ")");
      }
  }
}

// Returns the sums of 64 rows of a and N rows of b, both of one box.
template <class D, int N, class TA, class TB>
std::vector<float> sums(const std::vector<TA>& a, const std::vector<TB>& b) {
  const micro::Array<TA> array_a(a);
  const micro::Array<TB> array_b(b);
  micro::Array<float> out(size_t{64 * N});
  micro::run(kernel<TA, TB, D, N, false>, 1, 128, sizeof(Smem), array_a.device(), array_b.device(), out.device());
  out.download();
  return {out.host.begin(), out.host.end()};
}

// A sum with 1 keeps 14 bits: adding 2^-13 counts, 2^-14 does not.
void test_kept_bits() {
  constexpr int N = 8;
  std::vector<e4m3> a(64 * kSlab, e4m3(0.0f)), b(N * kSlab, e4m3(0.0f));
  for (size_t row = 0; row < 64; ++row) {
    a[row * kSlab] = e4m3(1.0f);
    a[row * kSlab + 1] = e4m3(row % 2 ? 0x1p-6f : 0x1p-7f);
  }
  for (size_t row = 0; row < N; ++row) {
    b[row * kSlab] = e4m3(1.0f);
    b[row * kSlab + 1] = e4m3(0x1p-7f);
  }
  const std::vector<float> got = sums<float, N>(a, b);
  for (size_t e = 0; e < got.size(); ++e)
    micro::check_equal(got[e], e / N % 2 ? 1 + 0x1p-13f : 1.0f, "bits kept of sums of e4m3");
}

// A sum on Hopper, found on an H100: the products of an instruction and its accumulator are added at once, each cut
// towards 0 to a multiple of 2^(e - unit_bits), with e the largest exponent: a product's is the sum of its factors', a
// subnormal's that of the smallest normal number. The sum is cut to f32, for 8-bit floats to 14 bits; to f16 it is
// rounded.
template <class T>
constexpr int kLeastExponent = kIsSame<T, f16> || kIsSame<T, e5m2> ? -14
                               : kIsSame<T, e4m3>                  ? -6
                                                                   : -126;

template <class T>
int exponent_of(T x) {
  return std::max(std::ilogb(static_cast<float>(x)), kLeastExponent<T>);
}
double cut(double x, int exponent) { return std::ldexp(std::trunc(std::ldexp(x, -exponent)), exponent); }

template <class D, class TA, class TB>
float next_sum(float before, const TA* a, const TB* b, int count) {
  const int unit_bits = sizeof(TA) == 1 ? 13 : 25, result_bits = sizeof(TA) == 1 ? 13 : 23;
  int largest = before == 0 ? -1000 : exponent_of(before);
  for (int k = 0; k < count; ++k)
    if (static_cast<float>(a[k]) != 0 && static_cast<float>(b[k]) != 0)
      largest = std::max(largest, exponent_of(a[k]) + exponent_of(b[k]));
  double sum = cut(before, largest - unit_bits);
  for (int k = 0; k < count; ++k)
    sum += cut(static_cast<double>(static_cast<float>(a[k])) * static_cast<double>(static_cast<float>(b[k])),
               largest - unit_bits);
  if (sum == 0) return 0;
  if constexpr (kIsSame<D, f16>) return __half2float(__double2half(sum));
  return static_cast<float>(cut(sum, std::ilogb(sum) - result_bits));
}

// Tests random numbers of exponents from -range to range; each row of `a` ends in subnormals if its type has few.
template <class TA, class TB, class D>
void test_bits(const std::string& name, int range) {
  constexpr int N = 48, depth = kSlab / static_cast<int>(sizeof(TA)), width = 32 / static_cast<int>(sizeof(TA));
  uint32_t seed = 1;
  const auto values = [&](auto zero, int count) {
    using T = decltype(zero);
    std::vector<T> list;
    for (int e = 0; e < count; ++e) {
      seed = seed * 1664525u + 1013904223u;
      const int exponent =
          e % 16 == 15 ? std::max(kLeastExponent<T> - 1, -20) : static_cast<int>(seed >> 8) % (2 * range + 1) - range;
      float value =
          std::ldexp(1.0f + static_cast<float>(seed >> 16) / 65536, exponent) * (seed >> 7 & 1 ? -1.0f : 1.0f);
      if constexpr (kIsSame<T, float>) {  // tf32: bits that instructions ignore are 0
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        bits &= ~0x1fffu;
        memcpy(&value, &bits, sizeof bits);
      }
      if constexpr (kIsSame<T, f16>)
        list.push_back(__float2half_rn(value));
      else if constexpr (kIsSame<T, bf16>)
        list.push_back(__float2bfloat16_rn(value));
      else
        list.push_back(T(value));
    }
    return list;
  };
  const std::vector<TA> a = values(TA(), 64 * depth);
  const std::vector<TB> b = values(TB(), N * depth);
  const std::vector<float> out = sums<D, N>(a, b);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < N; ++j) {
      float wanted = 0;
      for (int step = 0; step < depth; step += width)
        wanted = next_sum<D>(wanted, &a[static_cast<size_t>(i * depth + step)],
                             &b[static_cast<size_t>(j * depth + step)], width);
      micro::check_equal(out[static_cast<size_t>(i * N + j)], wanted,
                         "bits of " + name + ", range " + std::to_string(range));
    }
}

template <class TA, class TB, class D>
void test_bits(const std::string& name) {
  for (const int range : {0, 2, 6}) test_bits<TA, TB, D>(name, range);
}

template <class TA, class TB, class D>
void test_sizes(const std::string& name) {
  test<TA, TB, D, 8>(name);
  test<TA, TB, D, 48>(name);
}

}  // namespace

int main() {
  test_sizes<bf16, bf16, float>("f32 sums of bf16");
  test_sizes<f16, f16, float>("f32 sums of f16");
  test_sizes<f16, f16, f16>("f16 sums of f16");
  test_sizes<float, float, float>("f32 sums of tf32");
  test_sizes<e4m3, e4m3, float>("f32 sums of e4m3");
  test_sizes<e4m3, e5m2, float>("f32 sums of e4m3 by e5m2");
  test_sizes<e5m2, e4m3, float>("f32 sums of e5m2 by e4m3");
  test_sizes<e5m2, e5m2, float>("f32 sums of e5m2");
  test_kept_bits();
  test_bits<bf16, bf16, float>("f32 sums of bf16");
  test_bits<f16, f16, float>("f32 sums of f16");
  test_bits<f16, f16, f16>("f16 sums of f16");
  test_bits<float, float, float>("f32 sums of tf32");
  test_bits<e4m3, e4m3, float>("f32 sums of e4m3");
  test_bits<e4m3, e5m2, float>("f32 sums of e4m3 by e5m2");
  test_bits<e5m2, e5m2, float>("f32 sums of e5m2");
  test_bits<e4m3, e4m3, f16>("f16 sums of e4m3");
  test_sizes<e4m3, e4m3, f16>("f16 sums of e4m3");
  test_sizes<e4m3, e5m2, f16>("f16 sums of e4m3 by e5m2");
  test_sizes<e5m2, e4m3, f16>("f16 sums of e5m2 by e4m3");
  test_sizes<e5m2, e5m2, f16>("f16 sums of e5m2");
  test_sizes<i8, i8, int32_t>("s32 sums of s8");
  test_sizes<i8, u8, int32_t>("s32 sums of s8 by u8");
  test_sizes<u8, i8, int32_t>("s32 sums of u8 by s8");
  test_sizes<u8, u8, int32_t>("s32 sums of u8");
  test<e4m3, e5m2, float, 256>("f32 sums of e4m3 by e5m2");
  test<i8, u8, int32_t, 256>("s32 sums of s8 by u8");
  return micro::finish();
}
