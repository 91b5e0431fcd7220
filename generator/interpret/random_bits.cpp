#include "random_bits.h"

#include <array>

namespace pallasgen::interpreter {
namespace {

using Words = std::array<uint32_t, 4>;

constexpr uint32_t kMultiplier[] = {0xD2511F53, 0xCD9E8D57};
constexpr uint32_t kWeyl[] = {0x9E3779B9, 0xBB67AE85};  // the golden ratio and sqrt(3) - 1
constexpr int kRounds = 10;

Words philox(Words counter, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t a = uint64_t{kMultiplier[0]} * counter[0], b = uint64_t{kMultiplier[1]} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key0, static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key1, static_cast<uint32_t>(a)};
    key0 += kWeyl[0];
    key1 += kWeyl[1];
  }
  return counter;
}

uint32_t low(uint64_t word) { return static_cast<uint32_t>(word); }
uint32_t high(uint64_t word) { return static_cast<uint32_t>(word >> 32); }

}  // namespace

Value random_bits(uint64_t key, uint64_t counter, uint64_t stream, const Shape& shape) {
  Value out = make_value(DType::u32, shape);
  uint32_t* to = out.edit<uint32_t>();
  const int64_t size = out.size();
  for (int64_t i = 0; i < size; i += 4) {
    const uint64_t place = counter + static_cast<uint64_t>(i) / 4;
    const Words words = philox({low(place), high(place), low(stream), high(stream)}, low(key), high(key));
    for (int64_t word = 0; word < 4 && i + word < size; ++word) to[i + word] = words[static_cast<size_t>(word)];
  }
  return out;
}

}  // namespace pallasgen::interpreter
