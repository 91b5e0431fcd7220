#include "multiply.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "operand.h"

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

namespace {

// A block of tests/oracle/wgmma_sums.txt.
struct RecordedSums {
  std::string a, b, d;  // types
  int k = 0, steps = 0, rows = 0, columns = 0;
  std::vector<float> of_a, of_b, sums;
};

std::vector<RecordedSums> recorded_sums() {
  std::ifstream file(PALLASGEN_SOURCE_DIR "/tests/oracle/wgmma_sums.txt");
  std::vector<RecordedSums> blocks;
  const auto read = [&file](std::vector<float>& numbers, int lines) {
    std::string line;
    for (int i = 0; i < lines && std::getline(file, line); ++i) {
      std::istringstream words(line);
      for (std::string word; words >> word;) numbers.push_back(std::strtof(word.c_str(), nullptr));
    }
  };
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != "sums") continue;
    RecordedSums block;
    words >> block.a >> block.b >> block.d >> block.k >> block.steps >> block.rows >> block.columns;
    read(block.of_a, block.rows);
    read(block.of_b, block.columns);
    read(block.sums, block.rows);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

OperandType type_of(const std::string& name) {
  return name == "f16"    ? OperandType::kF16
         : name == "bf16" ? OperandType::kBf16
         : name == "tf32" ? OperandType::kTf32
         : name == "e4m3" ? OperandType::kE4m3
                          : OperandType::kE5m2;
}

}  // namespace

TEST_CASE("sums of floats have the bits that an H100 gave them") {
  const std::vector<RecordedSums> blocks = recorded_sums();
  REQUIRE(blocks.size() == 22);
  for (const RecordedSums& block : blocks) {
    CAPTURE(block.a);
    CAPTURE(block.d);
    const bool f8 = block.k == 32;
    const TensorCoreSums how{.unit_bits = f8 ? 13 : 25,
                             .result_bits = f8 ? 14 : 24,
                             .least_a = least_exponent(type_of(block.a)),
                             .least_b = least_exponent(type_of(block.b)),
                             .to_odd = block.d == "f16"};
    const int width = block.k * block.steps;
    REQUIRE(block.of_a.size() == static_cast<size_t>(block.rows * width));
    REQUIRE(block.sums.size() == static_cast<size_t>(block.rows * block.columns));
    std::vector<float> d(64 * 8);
    for (int step = 0; step < block.steps; ++step) {
      std::vector<float> a(static_cast<size_t>(64 * block.k)), b(static_cast<size_t>(8 * block.k));
      for (int k = 0; k < block.k; ++k) {
        const auto at = [&](int row) { return static_cast<size_t>(row * width + step * block.k + k); };
        const auto put = [&](float& to, float from) {
          type_of(block.a) == OperandType::kTf32 ? widen(OperandType::kTf32, &from, &to, 1) : void(to = from);
        };
        for (int i = 0; i < block.rows; ++i) put(a[static_cast<size_t>(k * 64 + i)], block.of_a[at(i)]);
        for (int j = 0; j < block.columns; ++j) put(b[static_cast<size_t>(k * 8 + j)], block.of_b[at(j)]);
      }
      multiply(d.data(), a.data(), b.data(), 8, block.k, step > 0, how);
      if (block.d == "f16")
        for (float& sum : d) sum = rounded_to_f16(sum);
    }
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.columns; ++j) {
        const float got = d[static_cast<size_t>(i * 8 + j)],
                    wanted = block.sums[static_cast<size_t>(i * block.columns + j)];
        CHECK((got == wanted || (std::isnan(got) && std::isnan(wanted))));
      }
  }
}
