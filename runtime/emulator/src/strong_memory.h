#pragma once
#include <pallasgen/emulator/atomics.h>
#include <pallasgen/memory_order.h>
#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "race.h"

// Strong accesses: atomics, loads and stores with an order, and the fences between them (PTX ISA, "Memory Consistency
// Model"). Each location keeps its latest values in the order in which they were stored, with what reading them orders.
namespace pallasgen::emulator {

struct Cta;
struct Thread;

/// Who made a strong access: what scopes ask for, and which of its clocks is the newer one.
struct Place {
  uint3 cta{}, cluster{};  // blockIdx, and that of the cluster's first CTA
  int agent = -1;          // the warp, or the thread where each has its own clocks; -1: nobody in this launch
  int thread = 0;
};

/// A release, which orders all that its thread has done or seen before it, for those whom its scope includes.
struct Release {
  std::shared_ptr<race::Sync> sync;
  MemoryScope scope;
  Place by;
};

/// What a thread's strong accesses leave behind for its fences, and its fences for its strong accesses.
struct StrongThread {
  std::vector<Release> seen;    // with values that it read, not acquired yet
  std::vector<Release> fenced;  // by its latest fence of each scope
  uint64_t acquired = 0;        // the store that it acquired last
};

class StrongMemory {
 public:
  /// A load that finds `now` in memory; returns what it gives, in random schedules now and then an older value, if
  /// nothing that the thread has seen forbids it, unless it must be the `newest`.
  uint64_t load(Thread& thread, const void* p, const StrongAccess& access, uint64_t now, bool newest = false);
  /// A store that replaces `before` by `now`; an atomic update of the value there.
  void store(Thread& thread, const void* p, const StrongAccess& access, uint64_t before, uint64_t now);
  void update(Thread& thread, const void* p, const StrongAccess& access, uint64_t before, uint64_t now);
  /// A store that the thread makes when it goes on: what it stores is read there by whoever comes next.
  void store_ahead(Thread& thread, const void* p, const StrongAccess& access, uint64_t before);
  /// fence.acq_rel, or fence.sc, which also orders fences in the order in which they run.
  void fence(Thread& thread, MemoryScope scope, bool sequentially_consistent);
  /// The memory belongs to nobody any more.
  void forget(const void* p, size_t bytes);

 private:
  struct Value {
    uint64_t bits = 0;
    uint64_t number = 0;  // counts all strong stores of the launch
    MemoryScope scope = MemoryScope::kSystem;
    Place by{};
    std::vector<Release> releases{};
    bool is_ahead = false;  // its bits are known once somebody has read them in memory
  };
  struct Location {
    uint32_t number = 0;  // in views
    size_t bytes = 0;
    std::deque<Value> values;  // the last one is in memory
  };

  Location& location(Thread& thread, const void* p, const StrongAccess& access, uint64_t now);
  /// Ends what is known of places that the access shares some but not all bytes with. Two such accesses are not morally
  /// strong, so that it must be after the store there by other means.
  void forget_overlapping(const Thread& thread, const char* p, const StrongAccess& access);
  void check_scopes(const Thread& thread, const void* p, const Location& at, const Value& value,
                    const StrongAccess& access) const;
  void observe(Thread& thread, const Value& value, const StrongAccess& access);
  void add(Thread& thread, Location& at, Value value, const StrongAccess& access);
  void store(Thread& thread, const void* p, const StrongAccess& access, uint64_t before, Value value);

  std::map<const char*, Location> locations_;
  std::vector<uint32_t> free_numbers_;
  uint32_t numbers_ = 0;
  uint64_t stores_ = 0;
};

}  // namespace pallasgen::emulator
