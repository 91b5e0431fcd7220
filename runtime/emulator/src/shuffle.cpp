#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/instructions.h>

#include "current.h"
#include "report.h"

// Shuffles, votes and the election: PTX ISA, "shfl.sync", "vote.sync", "elect.sync", "bar.warp.sync".
namespace pallasgen::emulator {
namespace {

constexpr uint32_t kAllLanes = 0xffffffffu;

/// What the warp's lanes brought in `words[0]`.
const LaneValue* exchange(Thread& thread, uint32_t mask, const char* operation, uint32_t word) {
  return thread.warp->exchanges.meet(thread, mask, operation, {.words = {word}}, nullptr);
}

uint32_t ballot(uint32_t mask, bool p, const void* pc) {
  Entry entry("vote", pc);
  const uint32_t live = entry.thread.warp->live;
  const LaneValue* all = exchange(entry.thread, mask, "vote.sync", p);
  uint32_t bits = 0;
  for (int lane = 0; lane < kWarpSize; ++lane)
    if ((mask & live) >> lane & 1) bits |= (all[lane].words[0] & 1) << lane;
  return bits;
}

void sync_lanes(uint32_t mask, const void* pc) {
  Entry entry(kWarpSync, pc);
  exchange(entry.thread, mask, kWarpSync, 0);
}

}  // namespace

uint32_t shuffle(Shuffle kind, unsigned mask, uint32_t value, uint32_t lane_or_delta, int width) {
  Entry entry("shfl.sync");
  if (width < 1 || width > kWarpSize || (width & (width - 1)) != 0)
    rule_broken("shfl.sync: width %d is no power of two up to 32", width);
  const LaneValue* all = exchange(entry.thread, mask, "shfl.sync", value);
  const int lane = entry.thread.lane;
  const int first = lane & ~(width - 1);  // of the lane's segment
  const int end = first + width;
  int source = lane;
  switch (kind) {
    case Shuffle::kIndex:
      source = first + static_cast<int>(lane_or_delta & static_cast<uint32_t>(width - 1));
      break;
    case Shuffle::kUp:
      source = lane - static_cast<int>(lane_or_delta & 31);
      break;
    case Shuffle::kDown:
      source = lane + static_cast<int>(lane_or_delta & 31);
      break;
    case Shuffle::kButterfly:
      source = lane ^ static_cast<int>(lane_or_delta & 31);
      break;
  }
  // Butterflies may reach into lower segments, not into higher ones.
  const bool inside = kind == Shuffle::kButterfly ? source < end : source >= first && source < end;
  if (!inside) source = lane;
  if ((mask >> source & 1) == 0)
    rule_broken("shfl.sync: lane %d reads lane %d, which is not in the mask", lane, source);
  return all[source].words[0];
}

uint32_t vote_ballot(bool p) { return ballot(kAllLanes, p, __builtin_return_address(0)); }

bool elect_one() {
  Entry entry("elect.sync");
  const uint32_t live = entry.thread.warp->live;
  exchange(entry.thread, kAllLanes, "elect.sync", 0);
  return entry.thread.lane == __builtin_ctz(live);
}

void syncwarp() { sync_lanes(kAllLanes, __builtin_return_address(0)); }

uint32_t lane_id() { return static_cast<uint32_t>(current_thread("lane_id").lane); }

}  // namespace pallasgen::emulator

void __syncwarp(unsigned mask) { pallasgen::emulator::sync_lanes(mask, __builtin_return_address(0)); }

unsigned __ballot_sync(unsigned mask, int predicate) {
  return pallasgen::emulator::ballot(mask, predicate != 0, __builtin_return_address(0));
}
int __any_sync(unsigned mask, int predicate) {
  return pallasgen::emulator::ballot(mask, predicate != 0, __builtin_return_address(0)) != 0;
}
int __all_sync(unsigned mask, int predicate) {
  return pallasgen::emulator::ballot(mask, predicate == 0, __builtin_return_address(0)) == 0;
}
