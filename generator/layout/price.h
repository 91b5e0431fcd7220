#pragma once

#include <cstdint>

// What movements between threads cost: the assumptions of all that compare them.
namespace pallasgen::price {

// An SM has four schedulers, each of which issues an instruction of a warp a cycle; shuffles and accesses of shared
// memory have one pipe for all. Latencies are round figures.
inline constexpr int64_t kSchedulers = 4, kWordBytes = 4, kShuffleLatency = 24, kSharedLatency = 30, kSyncLatency = 30;

inline int64_t words_of(int64_t element_bytes) { return (element_bytes + kWordBytes - 1) / kWordBytes; }
// Cycles in which the schedulers issue `instructions` of each of `warps`.
inline int64_t issue(int64_t instructions, int64_t warps) {
  return instructions * ((warps + kSchedulers - 1) / kSchedulers);
}

}  // namespace pallasgen::price
