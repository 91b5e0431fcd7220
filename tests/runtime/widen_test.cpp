#include <doctest/doctest.h>
#include <string.h>

#include <pallasgen/device.cuh>
#include <pallasgen/narrow.cuh>

using namespace pallasgen;

namespace {

// Counts pairs of codes whose conversion differs from cast's.
template <class T, class E, int Bits>
int wrong_pairs() {
  int wrong = 0;
  for (uint32_t pair = 0; pair < 1u << 2 * Bits; ++pair) {
    const uint32_t word = PairWidening<T, E>::widen(pair);
    T both[2];
    memcpy(static_cast<void*>(both), &word, sizeof word);
    const T low = cast<T>(from_code<E, Bits>(pair & ((1u << Bits) - 1))),
            high = cast<T>(from_code<E, Bits>(pair >> Bits));
    const auto differ = [](T a, T b) { return to_float(a) != to_float(b) && !(is_nan(a) && is_nan(b)); };
    wrong += differ(both[0], low) || differ(both[1], high);
    wrong += !is_nan(low) && std::signbit(to_float(both[0])) != std::signbit(to_float(low));
  }
  return wrong;
}

template <class T>
void check_all() {
  CHECK(wrong_pairs<T, i4, 4>() == 0);
  CHECK(wrong_pairs<T, u4, 4>() == 0);
  CHECK(wrong_pairs<T, f4e2m1, 4>() == 0);
  CHECK(wrong_pairs<T, i8, 8>() == 0);
  CHECK(wrong_pairs<T, u8, 8>() == 0);
  CHECK(wrong_pairs<T, f8e4m3, 8>() == 0);
  CHECK(wrong_pairs<T, f8e5m2, 8>() == 0);
}

}  // namespace

TEST_CASE("widen: every pair of codes of 4 and 8 bits becomes what a cast makes of it") {
  check_all<bf16>();
  check_all<f16>();
}

TEST_CASE("widen: lop3 and prmt as their tables and selectors say") {
  CHECK(ptx::lop3 < (0xf0 & 0xcc) ^
        0xaa > (0x0000ff0f, 0x000ff0ff, 0x00550055) == ((0x0000ff0fu & 0x000ff0ffu) ^ 0x00550055u));
  CHECK(ptx::prmt(0x33221100, 0x77665544, 0x7140) == 0x77114400);
}

TEST_CASE("elements of a tile whose bytes hold two") {
  const i4x2 tile[2] = {{0x8f}, {0x70}};
  const int expected[4] = {-1, -8, 0, 7};
  for (int i = 0; i < 4; ++i) CHECK(tile_at(tile, i) == expected[i]);
}

TEST_CASE("places in a swizzled tile whose bytes hold two elements") {
  for (int i = 0; i < 64 * 64; ++i) {
    const int byte = swizzled_index<Swizzle::k32B, uint8_t, 64, 32>(i / 2);
    CHECK(swizzled_index<Swizzle::k32B, u4x2, 64, 64>(i) == 2 * byte + i % 2);
  }
}

namespace {

// Counts results of pairs that differ from those of float, rounded.
template <class T>
int wrong_results() {
  int wrong = 0;
  uint32_t state = 1;
  const auto next = [&state] {
    return bitcast<T>(static_cast<uint16_t>((state = state * 1664525 + 1013904223) >> 16));
  };
  const auto differ = [](T got, float want) {
    const float rounded = to_float(cast<T>(want));
    return to_float(got) != rounded && !(is_nan(got) && is_nan(rounded));
  };
  for (int i = 0; i < 100000; ++i) {
    Fragment<T, WgmmaLayout<64, 8>> x{}, y{};
    x[0] = next(), x[1] = next();
    const T other = next();
    const float a = to_float(x[0]), b = to_float(x[1]), c = to_float(other);
    set_pair(y, 0, pair_at(x, 0) * pair_of(other));
    wrong += differ(y[0], a * c) + differ(y[1], b * c);
    set_pair(y, 0, pair_at(x, 0) + pair_of(other));
    wrong += differ(y[0], a + c) + differ(y[1], b + c);
    set_pair(y, 0, pair_at(x, 0) - pair_of(other));
    wrong += differ(y[0], a - c) + differ(y[1], b - c);
  }
  return wrong;
}

}  // namespace

TEST_CASE("pairs: each element of a result is what float gives, rounded") {
  CHECK(wrong_results<bf16>() == 0);
  CHECK(wrong_results<f16>() == 0);
}
