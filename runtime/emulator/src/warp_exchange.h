#pragma once
#include <cstdint>
#include <deque>

#include "race.h"
#include "wait.h"

namespace pallasgen::emulator {

struct Thread;
struct Warp;

/// The operands and results of a lane in an instruction that a warp executes together.
struct LaneValue {
  uint32_t address = 0;
  const void* pc = nullptr;  // where the kernel calls, for reports of races
  uint32_t words[4] = {};
};

/// The one operation that orders the lanes' memory accesses.
constexpr char kWarpSync[] = "bar.warp.sync";

/// The result of a meeting of lanes for each of them, valid until it meets the others again.
struct Met {
  const LaneValue* values;  // values of 32 lanes
  uint32_t lanes;           // the lanes that came
};

/// Lanes that meet to execute one instruction together.
class WarpExchanges {
 public:
  /// Waits until all live lanes of `mask` have come with the same `operation` (compared by its text), at the same place
  /// of the source unless it is a bar.warp.sync. The last one calls `execute` (null: nothing to do) on the values of
  /// all 32 lanes.
  using Execute = void (*)(Thread& last, LaneValue (&values)[32]);
  Met meet(Thread& thread, uint32_t mask, const char* operation, const LaneValue& value, Execute execute);
  /// Records that a lane has exited: the others need not wait for it.
  void lane_exited(Warp& warp);
  /// Returns the lanes that have come, among those that wait under `operation`.
  uint32_t arrived(const char* operation) const;

 private:
  struct Exchange {
    uint32_t mask = 0;
    uint32_t arrived = 0;
    const char* operation = nullptr;
    const void* pc = nullptr;  // where the first lane calls
    Execute execute = nullptr;
    uint64_t generation = 0;
    LaneValue values[2][32];  // by generation: a lane may be one exchange ahead of another that still reads
    uint32_t lanes[2] = {};
    WaitList waiting;
    race::Sync syncs[2];
  };
  Exchange& with_mask(uint32_t mask);
  void finish_if_complete(Exchange& exchange, Warp& warp, Thread* last);
  std::deque<Exchange> exchanges_;
};

}  // namespace pallasgen::emulator
