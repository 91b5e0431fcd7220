#pragma once
#include <pallasgen/types.h>

namespace pallasgen {

// Element i of random_bits: word i % 4 of Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", 2011) with the words of `key`, and of `counter` + i / 4 and `stream`, low halves first.
__host__ __device__ inline uint32_t random_bits(uint64_t key, uint64_t counter, uint64_t stream, uint64_t i) {
  const uint64_t place = counter + i / 4;
  uint32_t key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
  uint32_t c0 = static_cast<uint32_t>(place), c1 = static_cast<uint32_t>(place >> 32);
  uint32_t c2 = static_cast<uint32_t>(stream), c3 = static_cast<uint32_t>(stream >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = UINT64_C(0xd2511f53) * c0, b = UINT64_C(0xcd9e8d57) * c2;
    c0 = static_cast<uint32_t>(b >> 32) ^ c1 ^ key0;
    c1 = static_cast<uint32_t>(b);
    c2 = static_cast<uint32_t>(a >> 32) ^ c3 ^ key1;
    c3 = static_cast<uint32_t>(a);
    key0 += 0x9e3779b9;
    key1 += 0xbb67ae85;
  }
  const uint32_t word = static_cast<uint32_t>(i % 4);
  return word == 0 ? c0 : word == 1 ? c1 : word == 2 ? c2 : c3;
}

}  // namespace pallasgen
