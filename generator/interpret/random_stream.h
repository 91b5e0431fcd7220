#pragma once

#include <cstdint>
#include <string_view>

namespace pallasgen::interpreter {

// A stream of 64-bit numbers that is the same on every machine: SplitMix64 (Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", 2014), started from a seed and a name (FNV-1a), so that streams of two names differ
// and adding one changes no other.
class RandomStream {
 public:
  RandomStream(uint64_t seed, std::string_view name) {
    uint64_t hash = 0xcbf29ce484222325;
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    state_ = hash ^ (seed * 0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d);
    state_ = next();
  }

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  // Near to normal(0, 1), within 6 of 0: twelve uniform numbers of 32 bits, added as integers, less their mean. Their
  // sum has variance 1. Only integer arithmetic, one exact conversion and one exact scaling: no library function whose
  // last bits differ between machines.
  double normal() {
    uint64_t sum = 0;
    for (int i = 0; i < 6; ++i) {
      const uint64_t pair = next();
      sum += (pair >> 32) + (pair & 0xffffffff);
    }
    constexpr int64_t kMean = 6 * ((int64_t{1} << 32) - 1);
    return static_cast<double>(static_cast<int64_t>(sum) - kMean) * 0x1p-32;
  }

 private:
  uint64_t state_ = 0;
};

}  // namespace pallasgen::interpreter
