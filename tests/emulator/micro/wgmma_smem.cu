// Operand tiles of wgmma in shared memory: every table of wgmma_smem.json, K-major and MN-major, all swizzles, elements
// of 16, 8 and 32 bits. The tile is written by the table, multiplied by a unit matrix with the table's descriptors, and
// must come out. So must tiles that do not start at a multiple of the swizzle's period, and whose pattern starts there:
// the descriptor's base offset states where.
#include <pallasgen/ptx/wgmma_f8.cuh>
#include <pallasgen/ptx/wgmma_i8.cuh>
#include <pallasgen/ptx/wgmma_tf32.cuh>

#include "layouts.h"

using namespace pallasgen;

namespace {

constexpr int kTileBytes = 64 << 10;

struct alignas(1024) Smem {
  unsigned char tile[kTileBytes + 1024];
  unsigned char unit[256 * 32];  // the other operand: K-major without swizzle
};

struct Descriptor {
  uint32_t start, lbo, sbo, mode;
};

__device__ uint64_t encode(uint32_t address, const Descriptor& d) {
  const auto field = [](uint32_t bytes) { return static_cast<uint64_t>((bytes & 0x3ffff) >> 4); };
  const uint64_t base_offset = d.mode == 0 ? 0 : address >> 7 & 7;
  return field(address + d.start) | field(d.lbo) << 16 | field(d.sbo) << 32 | base_offset << 49 |
         static_cast<uint64_t>(d.mode) << 62;
}

template <int N, int TransA, int TransB>
__device__ void multiply(float (&d)[N / 2], uint64_t a, uint64_t b) {
  ptx::wgmma_fence();
  if constexpr (N == 16) ptx::wgmma_m64n16k16_f32_f16<TransA, TransB>(d, a, b, 0);
  if constexpr (N == 96) ptx::wgmma_m64n96k16_f32_f16<TransA, TransB>(d, a, b, 0);
  if constexpr (N == 128) ptx::wgmma_m64n128k16_f32_f16<TransA, TransB>(d, a, b, 0);
  if constexpr (N == 256) ptx::wgmma_m64n256k16_f32_f16<TransA, TransB>(d, a, b, 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<0>();
}

// Types of elements: their bytes, the value of number x of a table, and the product of one step.
struct Half {
  using Sum = float;
  static constexpr int kBytes = 2, kNumbers = 2039, kOne = 1;
  static void put(unsigned char* p, int x) {
    const f16 value = __float2half_rn(static_cast<float>(x));
    memcpy(p, &value, sizeof value);
  }
  static float value(int x) { return static_cast<float>(x); }
};

struct Tf32 {
  using Sum = float;
  static constexpr int kBytes = 4, kNumbers = 2039, kOne = 1;
  static void put(unsigned char* p, int x) {
    // The tensor core ignores the last 13 bits.
    uint32_t bits;
    const float value = static_cast<float>(x);
    memcpy(&bits, &value, sizeof bits);
    bits |= 0x1fff;
    memcpy(p, &bits, sizeof bits);
  }
  static float value(int x) { return static_cast<float>(x); }
  template <int N>
  static __device__ void multiply(float (&d)[N / 2], uint64_t a, uint64_t b) {
    ptx::wgmma_m64n8k8_f32_tf32(d, a, b, 0);
  }
};

// The number x is the byte x. In e4m3 these are 1/512 to 448 by exponent and mantissa; 0x38 is 1.
struct E4m3 {
  using Sum = float;
  static constexpr int kBytes = 1, kNumbers = 113, kOne = 0x38;
  static void put(unsigned char* p, int x) { *p = static_cast<unsigned char>(x); }
  static float value(int x) {
    return x < 8 ? static_cast<float>(x) / 512.0f
                 : static_cast<float>(8 + x % 8) * static_cast<float>(1 << x / 8) / 1024.0f;
  }
  template <int N>
  static __device__ void multiply(float (&d)[N / 2], uint64_t a, uint64_t b) {
    ptx::wgmma_m64n32k32_f32_e4m3_e4m3(d, a, b, 0);
  }
};

struct U8 {
  using Sum = int32_t;
  static constexpr int kBytes = 1, kNumbers = 251, kOne = 1;
  static void put(unsigned char* p, int x) { *p = static_cast<unsigned char>(x); }
  static int32_t value(int x) { return x; }
  template <int N>
  static __device__ void multiply(int32_t (&d)[N / 2], uint64_t a, uint64_t b) {
    ptx::wgmma_m64n32k32_s32_u8_s8(d, a, b, 0);
  }
};

// The tile lies `first` bytes after a multiple of 1024. out is 64 x N: its rows times the unit matrix (A), or the unit
// matrix's rows times the tile's (B).
template <class T, int N, bool IsA, bool MnMajor>
__global__ __launch_bounds__(128, 1) void tile_kernel(const unsigned char* tile, const unsigned char* unit,
                                                      Descriptor d, int first, typename T::Sum* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  for (int i = threadIdx.x; i < kTileBytes; i += 128) smem.tile[first + i] = tile[i];
  for (int i = threadIdx.x; i < 256 * 32; i += 128) smem.unit[i] = unit[i];
  fence_async_shared();
  __syncthreads();
  // Core matrices of 8 rows by 16 bytes: the two of a row group are consecutive, row groups 256 bytes apart.
  const uint64_t unit_descriptor = encode(ptx::shared_address(smem.unit), {0, 128, 256, 0});
  const uint64_t descriptor = encode(ptx::shared_address(smem.tile + first), d);
  typename T::Sum acc[N / 2];
  if constexpr (!kIsSame<T, Half>) {
    ptx::wgmma_fence();
    T::template multiply<N>(acc, descriptor, unit_descriptor);
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
  } else if constexpr (IsA) {
    multiply<N, MnMajor, 0>(acc, descriptor, unit_descriptor);
  } else {
    multiply<N, 0, MnMajor>(acc, unit_descriptor, descriptor);
  }
  const int t = threadIdx.x;
  for (int v = 0; v < N / 2; ++v)
    out[(16 * (t / 32) + t % 32 / 4 + 8 * (v / 2 % 2)) * N + 8 * (v / 4) + 2 * (t % 4) + v % 2] = acc[v];
}

template <class T>
int number_of(int i, int k, int depth) {
  return (i * depth + k) % T::kNumbers;
}

template <class T>
std::vector<unsigned char> unit_matrix() {
  std::vector<unsigned char> bytes(256 * 32);
  for (int i = 0; i < 32 / T::kBytes; ++i) {
    const int byte = i * T::kBytes;
    T::put(bytes.data() + i / 8 * 256 + byte / 16 * 128 + i % 8 * 16 + byte % 16, T::kOne);
  }
  return bytes;
}

template <class T, bool IsA, bool MnMajor>
void launch_tile(int n, const micro::Array<unsigned char>& tile, const micro::Array<unsigned char>& unit,
                 const Descriptor& d, int first, micro::Array<typename T::Sum>& out) {
  const auto go = [&](auto kernel) {
    micro::run(kernel, 1, 128, sizeof(Smem), tile.device(), unit.device(), d, first, out.device());
  };
  if constexpr (IsA) return go(tile_kernel<T, 32 / T::kBytes, true, MnMajor>);
  if constexpr (!IsA) {
    if (n == 96) return go(tile_kernel<T, 96, false, MnMajor>);
    if (n == 128) return go(tile_kernel<T, 128, false, MnMajor>);
    if (n == 256) return go(tile_kernel<T, 256, false, MnMajor>);
  }
  micro::check(false, "no instruction for n = " + std::to_string(n));
}

template <class T>
void test_case(const nlohmann::json& c, int first) {
  const bool is_a = c["operand"] == "A", mn_major = c["major"] == "MN";
  const int mn = c["mn"], depth = c["k"], step = 32 / T::kBytes;
  std::vector<unsigned char> bytes(kTileBytes, 0x7c);
  for (int i = 0; i < mn; ++i)
    for (int k = 0; k < depth; ++k)
      T::put(bytes.data() + c["offset"][i][k].template get<size_t>(), number_of<T>(i, k, depth));
  const micro::Array<unsigned char> tile(bytes), unit(unit_matrix<T>());
  const std::string name = std::string(c["operand"]) + " of " + std::string(c["type"]) + ", " +
                           std::string(c["major"]) + "-major, swizzle " + std::to_string(int(c["swizzle"])) + ", " +
                           std::to_string(mn) + " x " + std::to_string(depth) + ", at " + std::to_string(first);
  for (int s = 0; s < static_cast<int>(c["descriptors"].size()); ++s) {
    const auto& d = c["descriptors"][s];
    const Descriptor descriptor{d["start"], d["lbo"], d["sbo"], d["mode"]};
    const int n = is_a ? step : mn;
    micro::Array<typename T::Sum> out(static_cast<size_t>(64 * n));
    if constexpr (kIsSame<T, Half>) {
      if (is_a)
        mn_major ? launch_tile<T, true, true>(n, tile, unit, descriptor, first, out)
                 : launch_tile<T, true, false>(n, tile, unit, descriptor, first, out);
      else
        mn_major ? launch_tile<T, false, true>(n, tile, unit, descriptor, first, out)
                 : launch_tile<T, false, false>(n, tile, unit, descriptor, first, out);
    } else {
      micro::check(is_a && !mn_major, name + ": only K-major A here");
      launch_tile<T, true, false>(n, tile, unit, descriptor, first, out);
    }
    out.download();
    for (int i = 0; i < mn; ++i)
      for (int k = 0; k < step; ++k) {
        const auto got = out.host[static_cast<size_t>(is_a ? i * n + k : k * n + i)];
        micro::check_equal(
            got, T::value(number_of<T>(i, step * s + k, depth)),
            name + ", step " + std::to_string(s) + ", element (" + std::to_string(i) + ", " + std::to_string(k) + ")");
      }
  }
}

}  // namespace

int main(int argc, char** argv) {
  int cases = 0;
  const nlohmann::json tables = micro::table(argc, argv, "wgmma_smem");
  for (const auto& c : tables["cases"]) {
    for (const int first : {0, 128, 640}) {
      if (c["type"] == "bf16") test_case<Half>(c, first);
      if (c["type"] == "tf32") test_case<Tf32>(c, first);
      if (c["type"] == "f8e4m3") test_case<E4m3>(c, first), test_case<U8>(c, first);
    }
    ++cases;
  }
  micro::check_equal(cases, 16, "tables");
  return micro::finish();
}
