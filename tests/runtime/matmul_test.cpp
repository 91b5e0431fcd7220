#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>

#include <string>
#include <vector>

#include "shapes.h"

using namespace matmul;

namespace {

template <class T>
struct DeviceArray {
  T* p = nullptr;
  int64_t size;
  explicit DeviceArray(int64_t n) : size(n) {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&p), static_cast<size_t>(n > 0 ? n : 1) * sizeof(T)) == cudaSuccess);
  }
  ~DeviceArray() { cudaFree(p); }
  DeviceArray(const DeviceArray&) = delete;
  // Small whole numbers: every sum is exact, so results are compared bit by bit.
  void fill_with_numbers(int seed) {
    for (int64_t i = 0; i < size; ++i) p[i] = cast<T>(static_cast<float>((i * 7 + i / 5 + seed) % 7 - 3));
  }
};

template <class S>
void check(int64_t M, int64_t N, int64_t K) {
  CAPTURE(M);
  CAPTURE(N);
  CAPTURE(K);
  using T = typename S::Element;
  using Out = typename Kernel<S>::Out;
  DeviceArray<T> a(M * K), b(N * K), bias(N);
  DeviceArray<Out> c(M * N);
  a.fill_with_numbers(1);
  b.fill_with_numbers(3);
  bias.fill_with_numbers(5);
  for (int64_t i = 0; i < c.size; ++i) c.p[i] = cast<Out>(-99.0f);
  const cudaError_t error = run<S>(a.p, b.p, bias.p, c.p, M, N, K, nullptr);
  REQUIRE_MESSAGE(error == cudaSuccess, last_error());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  int wrong = 0;
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      float sum = to_float(bias.p[j]);
      for (int64_t k = 0; k < K; ++k) {
        const float x = to_float(S::major_a == Major::kK ? a.p[i * K + k] : a.p[k * M + i]);
        const float y = to_float(S::major_b == Major::kK ? b.p[j * K + k] : b.p[k * N + j]);
        sum += x * y;
      }
      const float want = to_float(cast<Out>(sum > 0 ? sum : 0.0f));
      wrong += to_float(c.p[i * N + j]) != want;
    }
  }
  CHECK(wrong == 0);
}

// Sizes around the tile, ragged ones, and a K of 0; all rows are multiples of 16 bytes, as TMA requires.
template <class S>
void check_sizes() {
  using pallasgen::emulator::Completion;
  check<S>(S::bm, S::bn, S::bk);
  check<S>(S::bm + 8, S::bn - 8 > 0 ? S::bn - 8 : 8, 3 * S::bk + 8);
  check<S>(8, 8, 8);
  check<S>(2 * S::bm - 8, 3 * S::bn + 8, 0);
  pallasgen::emulator::Options options = pallasgen::emulator::options(), before = options;
  options.copies = options.mma = Completion::kRandom;
  options.random_order = true;
  options.sms = 3;
  pallasgen::emulator::set_options(options);
  check<S>(3 * S::bm + 8, 2 * S::bn + 8, 5 * S::bk - 8);
  pallasgen::emulator::set_options(before);
}

template <class T, int N>
struct OfWidth : Shape<T> {
  static constexpr int bm = 64, bn = N, bk = 32, stages = 2, consumers = 1;
  static constexpr Swizzle swizzle_a = Swizzle::k64B, swizzle_b = Swizzle::k64B;
  static constexpr Output output = Output::kMaskedStores;
  static constexpr int store_columns = 8;
};
template <class T, int N>
struct OfWidthTransposed : OfWidth<T, N> {
  static constexpr Major major_a = Major::kMn, major_b = Major::kMn;
  static constexpr Swizzle swizzle_a = Swizzle::k128B, swizzle_b = Swizzle::kNone;
};

template <int N>
void check_width() {
  check<OfWidth<bf16, N>>(64, N, 64);
  check<OfWidthTransposed<f16, N>>(64, N, 64);
}

}  // namespace

TEST_CASE("matmul: the plain shape, f16, one stage") {
  check_sizes<Plain>();
  check_sizes<Half>();
  check_sizes<OneStage>();
}
TEST_CASE("matmul: several 64-row accumulators to a consumer") {
  check_sizes<Tall>();
  check_sizes<TallOdd>();
}
TEST_CASE("matmul: three consumers, strips along n") { check_sizes<Three>(); }
TEST_CASE("matmul: depths of less and more than a swizzle span, K-major") {
  check_sizes<Shallow>();
  check_sizes<Deep>();
  check_sizes<Wide>();
  check_sizes<NoSwizzle>();
}
TEST_CASE("matmul: operands whose m or n is contiguous") {
  check_sizes<ATransposed>();
  check_sizes<BTransposed>();
  check_sizes<BothTransposed>();
  check_sizes<BothTransposedDeep>();
  check_sizes<NarrowTransposed>();
  check_sizes<NoSwizzleTransposed>();
}
TEST_CASE("matmul: stores through registers, f32 results") {
  check_sizes<Masked>();
  check_sizes<MaskedPairs>();
  check_sizes<FloatOutput>();
  check_sizes<FloatMasked>();
}
TEST_CASE("matmul: every N of the instruction, both majors, both types"){
#define MATMUL_CHECK(n) check_width<n>();
    MATMUL_EACH_N(MATMUL_CHECK)
#undef MATMUL_CHECK
} TEST_CASE("matmul: the launcher refuses what TMA cannot take") {
  DeviceArray<bf16> x(4096);
  CHECK(run<Plain>(x.p, x.p, x.p, x.p, 16, 16, 12, nullptr) == cudaErrorInvalidValue);
  CHECK(std::string(last_error()) == "matmul: a: rows must be a multiple of 16 bytes");
  CHECK(run<Plain>(x.p, x.p, x.p, x.p, 16, 12, 16, nullptr) == cudaErrorInvalidValue);
  CHECK(std::string(last_error()) == "matmul: c: rows must be a multiple of 16 bytes");
  CHECK(run<Plain>(x.p + 1, x.p, x.p, x.p, 16, 16, 16, nullptr) == cudaErrorInvalidValue);
  CHECK(std::string(last_error()) == "matmul: a: the pointer must be a multiple of 16 bytes");
  CHECK(run<Plain>(x.p, static_cast<bf16*>(nullptr), x.p, x.p, 16, 16, 16, nullptr) == cudaErrorInvalidValue);
  CHECK(std::string(last_error()) == "matmul: b: null pointer");
  CHECK(run<Plain>(x.p, x.p, x.p, x.p, -1, 16, 16, nullptr) == cudaErrorInvalidValue);
  CHECK(std::string(last_error()) == "matmul: bad extent");
  CHECK(run<Plain>(x.p, x.p, x.p, x.p, 0, 16, 16, nullptr) == cudaSuccess);
}
