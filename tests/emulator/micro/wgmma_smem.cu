// Operand tiles of wgmma in shared memory: every 16-bit table of wgmma_smem.json, K-major and MN-major, all swizzles.
// The tile is written where the table says, multiplied with a unit matrix by the table's descriptors, and must come
// out.
#include "layouts.h"

using namespace pallasgen;

namespace {

constexpr int kTileBytes = 64 << 10;

struct alignas(1024) Smem {
  unsigned char tile[kTileBytes];
  unsigned char unit[256 * 32];  // the other operand: K-major without swizzle
};

struct Descriptor {
  uint32_t start, lbo, sbo, mode;
};

__device__ uint64_t encode(uint32_t address, const Descriptor& d) {
  const auto field = [](uint32_t bytes) { return static_cast<uint64_t>((bytes & 0x3ffff) >> 4); };
  return field(address + d.start) | field(d.lbo) << 16 | field(d.sbo) << 32 | static_cast<uint64_t>(d.mode) << 62;
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

// out is 64 x N: the tile's rows against the unit matrix (A), or the unit matrix's rows against the tile's (B).
template <int N, bool IsA, bool MnMajor>
__global__ __launch_bounds__(128, 1) void tile_kernel(const unsigned char* tile, const unsigned char* unit,
                                                      Descriptor d, float* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  for (int i = threadIdx.x; i < kTileBytes; i += 128) smem.tile[i] = tile[i];
  for (int i = threadIdx.x; i < 256 * 32; i += 128) smem.unit[i] = unit[i];
  fence_async_shared();
  __syncthreads();
  // Core matrices of 8 rows by 16 bytes: the two of a row group lie side by side, row groups 256 bytes apart.
  const uint64_t unit_descriptor = encode(ptx::shared_address(smem.unit), {0, 128, 256, 0});
  const uint64_t descriptor = encode(ptx::shared_address(smem.tile), d);
  float acc[N / 2];
  if constexpr (IsA)
    multiply<N, MnMajor, 0>(acc, descriptor, unit_descriptor);
  else
    multiply<N, 0, MnMajor>(acc, unit_descriptor, descriptor);
  const int t = threadIdx.x;
  for (int v = 0; v < N / 2; ++v)
    out[(16 * (t / 32) + t % 32 / 4 + 8 * (v / 2 % 2)) * N + 8 * (v / 4) + 2 * (t % 4) + v % 2] = acc[v];
}

f16 value_of(int i, int k, int depth) { return __float2half_rn(static_cast<float>((i * depth + k) % 2039)); }

void put(std::vector<unsigned char>& bytes, size_t at, f16 value) { memcpy(bytes.data() + at, &value, sizeof value); }

std::vector<unsigned char> unit_matrix() {
  std::vector<unsigned char> bytes(256 * 32);
  for (int i = 0; i < 16; ++i)
    put(bytes, static_cast<size_t>(i / 8 * 256 + i / 8 * 128 + i % 8 * 16 + i % 8 * 2), __float2half_rn(1.0f));
  return bytes;
}

template <bool IsA, bool MnMajor>
void launch_tile(int n, const micro::Array<unsigned char>& tile, const micro::Array<unsigned char>& unit,
                 const Descriptor& d, micro::Array<float>& out) {
  const auto go = [&](auto kernel) {
    micro::run(kernel, 1, 128, sizeof(Smem), tile.device(), unit.device(), d, out.device());
  };
  if constexpr (IsA) return go(tile_kernel<16, true, MnMajor>);
  if (n == 96) return go(tile_kernel<96, false, MnMajor>);
  if (n == 128) return go(tile_kernel<128, false, MnMajor>);
  if (n == 256) return go(tile_kernel<256, false, MnMajor>);
  micro::check(false, "no instruction for n = " + std::to_string(n));
}

void test_case(const nlohmann::json& c) {
  const bool is_a = c["operand"] == "A", mn_major = c["major"] == "MN";
  const int mn = c["mn"], depth = c["k"];
  std::vector<unsigned char> bytes(kTileBytes, 0x7c);
  for (int i = 0; i < mn; ++i)
    for (int k = 0; k < depth; ++k) put(bytes, c["offset"][i][k], value_of(i, k, depth));
  const micro::Array<unsigned char> tile(bytes), unit(unit_matrix());
  const std::string name = std::string(c["operand"]) + " " + std::string(c["major"]) + "-major, swizzle " +
                           std::to_string(int(c["swizzle"])) + ", " + std::to_string(mn) + " x " +
                           std::to_string(depth);
  for (int s = 0; s < static_cast<int>(c["descriptors"].size()); ++s) {
    const auto& d = c["descriptors"][s];
    const Descriptor descriptor{d["start"], d["lbo"], d["sbo"], d["mode"]};
    const int n = is_a ? 16 : mn;
    micro::Array<float> out(static_cast<size_t>(64 * n));
    if (is_a)
      mn_major ? launch_tile<true, true>(n, tile, unit, descriptor, out)
               : launch_tile<true, false>(n, tile, unit, descriptor, out);
    else
      mn_major ? launch_tile<false, true>(n, tile, unit, descriptor, out)
               : launch_tile<false, false>(n, tile, unit, descriptor, out);
    out.download();
    for (int i = 0; i < mn; ++i)
      for (int k = 0; k < 16; ++k) {
        const float got = out.host[static_cast<size_t>(is_a ? i * n + k : k * n + i)];
        const float wanted = __half2float(value_of(i, 16 * s + k, depth));
        micro::check_equal(
            got, wanted,
            name + ", step " + std::to_string(s) + ", element (" + std::to_string(i) + ", " + std::to_string(k) + ")");
      }
  }
}

}  // namespace

int main(int argc, char** argv) {
  int cases = 0;
  const nlohmann::json tables = micro::table(argc, argv, "wgmma_smem");
  for (const auto& c : tables["cases"])
    if (c["type"] == "bf16") {
      test_case(c);
      ++cases;
    }
  micro::check_equal(cases, 13, "16-bit tables");
  return micro::finish();
}
