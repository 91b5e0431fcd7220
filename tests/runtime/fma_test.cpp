#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <memory>

#include "fma_kernels.cuh"

using namespace products;

namespace {

// Sums and products are integers that all types hold.
template <class T, class S, class L, int Depth, bool AAlongK, bool BAlongK, Swizzle SA = Swizzle::kNone,
          Swizzle SB = Swizzle::kNone>
void check_product() {
  constexpr int rows = L::kRows, columns = L::kColumns;
  const auto a = std::make_unique<T[]>(rows * Depth), b = std::make_unique<T[]>(columns * Depth);
  const auto c = std::make_unique<S[]>(rows * columns);
  const auto value_a = [](int row, int k) { return (row * 7 + k * 3) % 11 - 5; };
  const auto value_b = [](int column, int k) { return (column * 5 + k * 2) % 13 - 6; };
  for (int k = 0; k < Depth; ++k) {
    for (int row = 0; row < rows; ++row)
      a[static_cast<size_t>(AAlongK ? row * Depth + k : k * rows + row)] =
          static_cast<T>(static_cast<float>(value_a(row, k)));
    for (int column = 0; column < columns; ++column)
      b[static_cast<size_t>(BAlongK ? column * Depth + k : k * columns + column)] =
          static_cast<T>(static_cast<float>(value_b(column, k)));
  }
  for (int i = 0; i < rows * columns; ++i) c[static_cast<size_t>(i)] = static_cast<S>(i % 17);
  const T *from_a = a.get(), *from_b = b.get();
  REQUIRE(launch(product<T, S, L, Depth, AAlongK, BAlongK, SA, SB>, 1, L::kThreads, sizeof(Tiles<T, S, L, Depth>),
                 nullptr, from_a, from_b, c.get()) == cudaSuccess);
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      int want = (row * columns + column) % 17;
      for (int k = 0; k < Depth; ++k) want += value_a(row, k) * value_b(column, k);
      wrong += static_cast<double>(c[static_cast<size_t>(row * columns + column)]) != want;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("products of blocks: operands along k and across it, of sizes that blocks do not divide") {
  check_product<float, float, FmaLayout<64, 8, 1, 4, 32, 40>, 16, true, false>();
  check_product<float, float, FmaLayout<64, 8, 4, 1, 36, 21>, 12, false, true>();
  check_product<float, float, FmaLayout<32, 4, 1, 1, 19, 17>, 7, true, true>();
  check_product<float, float, FmaLayout<128, 16, 4, 4, 20, 36>, 5, false, false>();
  check_product<double, double, FmaLayout<96, 8, 1, 2, 25, 30>, 6, true, false>();
  check_product<double, double, FmaLayout<64, 4, 2, 1, 24, 9>, 9, false, true>();
}

TEST_CASE("products of blocks: narrow operands are widened, and integers wrap nowhere sooner than at 32 bits") {
  check_product<bf16, float, FmaLayout<64, 8, 1, 4, 24, 36>, 24, true, false>();
  check_product<f16, float, FmaLayout<64, 8, 4, 1, 20, 18>, 10, false, true>();
  check_product<int8_t, int32_t, FmaLayout<32, 8, 1, 4, 16, 20>, 20, true, false>();
}

TEST_CASE("products of blocks: operands that lie swizzled, in one slab and in several") {
  check_product<float, float, FmaLayout<64, 8, 1, 1, 32, 24>, 16, true, true, Swizzle::kNone, Swizzle::k64B>();
  check_product<float, float, FmaLayout<64, 8, 1, 1, 32, 24>, 64, true, true, Swizzle::k128B, Swizzle::k128B>();
  check_product<float, float, FmaLayout<64, 4, 1, 1, 16, 20>, 8, true, true, Swizzle::kNone, Swizzle::k32B>();
  check_product<bf16, float, FmaLayout<64, 8, 4, 4, 64, 128>, 16, false, false, Swizzle::k128B, Swizzle::k128B>();
}
