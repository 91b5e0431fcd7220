#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/instructions.h>

#include "current.h"
#include "report.h"

// Shuffles, votes and the election: PTX ISA, "shfl.sync", "vote.sync", "elect.sync", "bar.warp.sync".
namespace pallasgen::emulator {
namespace {

constexpr uint32_t kAllLanes = 0xffffffffu;

/// Exchanges a word among the warp's lanes, as `words[0]`.
Met exchange(Thread& thread, uint32_t mask, const char* operation, uint32_t word) {
  return thread.warp->exchanges.meet(thread, mask, operation, {.words = {word}}, nullptr);
}

uint32_t ballot(uint32_t mask, bool p, const void* pc) {
  Entry entry("vote", pc);
  const Met met = exchange(entry.thread, mask, "vote.sync", p);
  uint32_t bits = 0;
  for (int lane = 0; lane < kWarpSize; ++lane)
    if (met.lanes >> lane & 1) bits |= (met.values[lane].words[0] & 1) << lane;
  return bits;
}

void sync_lanes(uint32_t mask, const void* pc) {
  Entry entry(kWarpSync, pc);
  exchange(entry.thread, mask, kWarpSync, 0);
}

/// Returns the elected lane. The manual leaves the choice open, but it is the same each time for the same mask: in
/// random schedules the seed decides for each warp where the search for a lane begins.
int leader(const Warp& warp, uint32_t lanes) {
  const Options& options = execution().options();
  if (!options.random_order) return __builtin_ctz(lanes);
  const uint3 cta = warp.cta->index;
  uint64_t seed = options.seed;
  for (const uint64_t part : {uint64_t{cta.x}, uint64_t{cta.y}, uint64_t{cta.z}, static_cast<uint64_t>(warp.index)})
    seed = Random(seed + part).next();
  const int first = static_cast<int>(seed % kWarpSize);
  const uint32_t from_there = lanes >> first << first;
  return __builtin_ctz(from_there != 0 ? from_there : lanes);
}

}  // namespace

uint32_t shuffle(Shuffle kind, unsigned mask, uint32_t value, uint32_t lane_or_delta, int width) {
  Entry entry("shfl.sync");
  if (width < 1 || width > kWarpSize || (width & (width - 1)) != 0)
    rule_broken("shfl.sync: width %d is no power of two up to 32", width);
  const Met met = exchange(entry.thread, mask, "shfl.sync", value);
  const int lane = entry.thread.lane;
  const int first = lane & ~(width - 1);  // first lane of the lane's segment
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
  if ((met.lanes >> source & 1) == 0)
    rule_broken("shfl.sync: lane %d reads lane %d, which has exited or never was", lane, source);
  return met.values[source].words[0];
}

uint32_t vote_ballot(bool p) { return ballot(kAllLanes, p, __builtin_return_address(0)); }

bool elect_one() {
  Entry entry("elect.sync");
  const uint32_t lanes = exchange(entry.thread, kAllLanes, "elect.sync", 0).lanes;
  return entry.thread.lane == leader(*entry.thread.warp, lanes);
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
