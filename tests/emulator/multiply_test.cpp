#include "multiply.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "operand.h"
#include "random.h"

using namespace pallasgen::emulator;

TEST_CASE("all 16-bit numbers widen as the toolkit's host conversions do") {
  std::vector<uint16_t> bits(65536);
  for (size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<uint16_t>(i);
  std::vector<float> got(bits.size());
  for (const OperandType type : {OperandType::kBf16, OperandType::kF16}) {
    widen(type, bits.data(), got.data(), static_cast<int>(bits.size()));
    for (size_t i = 0; i < bits.size(); ++i) {
      __half h;
      __nv_bfloat16 b;
      std::memcpy(static_cast<void*>(&h), &bits[i], 2);
      std::memcpy(static_cast<void*>(&b), &bits[i], 2);
      const float wanted = type == OperandType::kF16 ? __half2float(h) : __bfloat162float(b);
      if (std::isnan(wanted)) {
        CHECK(std::isnan(got[i]));
      } else {
        REQUIRE(std::memcmp(&got[i], &wanted, 4) == 0);
      }
    }
  }
}

TEST_CASE("all 8-bit numbers widen as the toolkit's host conversions do") {
  for (int x = 0; x < 256; ++x) {
    CAPTURE(x);
    const auto byte = static_cast<uint8_t>(x);
    for (const OperandType type : {OperandType::kE4m3, OperandType::kE5m2}) {
      const __half_raw half = __nv_cvt_fp8_to_halfraw(byte, type == OperandType::kE4m3 ? __NV_E4M3 : __NV_E5M2);
      const float wanted = __half2float(__half(half));
      float got;
      widen(type, &byte, &got, 1);
      if (std::isnan(wanted)) {
        CHECK(std::isnan(got));
      } else {
        CHECK(std::memcmp(&got, &wanted, sizeof got) == 0);
      }
    }
    uint32_t got;
    widen(OperandType::kS8, &byte, &got, 1);
    CHECK(static_cast<int32_t>(got) == static_cast<int8_t>(byte));
    widen(OperandType::kU8, &byte, &got, 1);
    CHECK(got == byte);
  }
}

TEST_CASE("integer sums wrap around") {
  std::vector<uint32_t> a(64 * 32, 1), b(8 * 32, static_cast<uint32_t>(-1)), d(64 * 8, 0x80000000u + 31);
  multiply(d.data(), a.data(), b.data(), 8, 32, true);
  for (const uint32_t x : d) CHECK(x == 0x7fffffffu);
  multiply(d.data(), a.data(), b.data(), 8, 32, false);
  for (const uint32_t x : d) CHECK(static_cast<int32_t>(x) == -32);
}

TEST_CASE("wgmma of 8-bit floats keeps 14 bits of the largest addend, and cuts the rest off") {
  // Of row 0 and column 0: the products are a's elements.
  const auto sum = [](std::vector<float> products, float before, bool accumulate) {
    std::vector<float> d(64 * 8), a(64 * products.size()), b(8 * products.size(), 1.0f);
    d[0] = before;
    for (size_t i = 0; i < products.size(); ++i) a[i * 64] = products[i];
    multiply_f8(d.data(), a.data(), b.data(), 8, static_cast<int>(products.size()), accumulate);
    return d[0];
  };
  CHECK(sum({1, 0x1p-13f}, 0, false) == 1 + 0x1p-13f);
  CHECK(sum({1, 0x1p-14f, 0x1p-14f}, 0, false) == 1);
  CHECK(sum({1.75f, -0x1.8p-13f}, 0, false) == 1.75f - 0x1p-13f);  // towards 0, not down
  CHECK(sum({0x1p-14f, 0x1p-14f}, 0, false) == 0x1p-13f);
  CHECK(sum({0x1p-13f}, 1, true) == 1 + 0x1p-13f);
  CHECK(sum({0x1p-14f}, 1, true) == 1);  // the accumulator is one of the addends
  CHECK(sum({0x1p-14f}, 1, false) == 0x1p-14f);
  CHECK(sum({1}, 1.0f + 0x1p-20f, true) == 2);
  CHECK(sum({1.5f, 1.5f, 0x1p-13f}, 0, false) == 3);  // the sum has 14 bits too
  CHECK(sum({-448.0f * 448, 448.0f * 448, 1}, 0, false) == 0);
  CHECK(sum({0, 0}, 0, true) == 0);
  CHECK(std::isnan(sum({INFINITY, -INFINITY}, 0, false)));
  CHECK(sum({INFINITY, 1}, 0, false) == INFINITY);
}

TEST_CASE("products are added one by one, k ascending, at every n") {
  Random random(7);
  const auto next = [&] { return static_cast<float>(static_cast<int>(random.below(4001)) - 2000) / 512.0f; };
  for (int n = 8; n <= 256; n += 8) {
    std::vector<float> a(64 * 16), b(static_cast<size_t>(16 * n)), d(static_cast<size_t>(64 * n)), wanted(d.size());
    for (float& x : a) x = next();
    for (float& x : b) x = next();
    for (const bool accumulate : {false, true}) {
      for (size_t i = 0; i < d.size(); ++i) wanted[i] = d[i] = next();
      for (int i = 0; i < 64; ++i)
        for (int j = 0; j < n; ++j) {
          volatile float sum = accumulate ? wanted[static_cast<size_t>(i * n + j)] : 0.0f;
          for (int k = 0; k < 16; ++k) {
            const volatile float product = a[static_cast<size_t>(k * 64 + i)] * b[static_cast<size_t>(k * n + j)];
            sum = sum + product;
          }
          wanted[static_cast<size_t>(i * n + j)] = sum;
        }
      multiply(d.data(), a.data(), b.data(), n, 16, accumulate);
      CHECK(std::memcmp(d.data(), wanted.data(), d.size() * sizeof(float)) == 0);
    }
  }
}
