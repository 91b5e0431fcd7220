#pragma once
#include <cstdint>

namespace pallasgen::emulator {

/// SplitMix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// From 0 to n - 1.
  uint64_t below(uint64_t n) { return next() % n; }
  /// True once in n.
  bool once_in(uint64_t n) { return below(n) == 0; }

 private:
  uint64_t state_;
};

}  // namespace pallasgen::emulator
