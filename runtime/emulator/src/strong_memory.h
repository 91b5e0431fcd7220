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
// Model"). Each location keeps its latest values in the order of their stores, with what a read of them orders.
namespace pallasgen::emulator {

struct Cta;
struct Thread;

/// Who made a strong access, as scopes need it, and with which clock.
struct Place {
  uint3 cta{}, cluster{};  // blockIdx, and that of the cluster's first CTA
  int agent = -1;          // the warp, or the thread if threads have their own clocks; -1: none in this launch
  int thread = 0;
};

/// A release, which orders all that its thread has done or seen before it, for the threads in its scope.
struct Release {
  std::shared_ptr<race::Sync> sync;
  MemoryScope scope;
  Place by;
};

/// State that a thread's strong accesses leave for its fences, and its fences for its strong accesses.
struct StrongThread {
  std::vector<Release> seen;    // releases with values that it read, not acquired yet
  std::vector<Release> fenced;  // releases by its latest fence of each scope
  uint64_t acquired = 0;        // the store that it acquired last
};

class StrongMemory {
 public:
  /// A load that finds `now` in memory; returns its value, which in random schedules is sometimes an older one, if
  /// nothing that the thread has seen forbids it, unless it must be the `newest`.
  uint64_t load(Thread& thread, const void* p, const StrongAccess& access, uint64_t now, bool newest = false);
  /// A store that replaces `before` by `now`; an atomic update of the value there.
  void store(Thread& thread, const void* p, const StrongAccess& access, uint64_t before, uint64_t now);
  void update(Thread& thread, const void* p, const StrongAccess& access, uint64_t before, uint64_t now);
  /// A store that the thread makes when it continues: its value is taken from memory at the next access.
  void store_ahead(Thread& thread, const void* p, const StrongAccess& access, uint64_t before);
  /// fence.acq_rel, or fence.sc, which also orders fences in the order in which they run.
  void fence(Thread& thread, MemoryScope scope, bool sequentially_consistent);
  /// Forgets memory that belongs to no one.
  void forget(const void* p, size_t bytes);

 private:
  struct Value {
    uint64_t bits = 0;
    uint64_t number = 0;  // counts all strong stores of the launch
    MemoryScope scope = MemoryScope::kSystem;
    Place by{};
    std::vector<Release> releases{};
    bool is_ahead = false;  // its bits are not known until they are read from memory
  };
  struct Location {
    uint32_t number = 0;  // index in views
    size_t bytes = 0;
    std::deque<Value> values;  // the last one is in memory
  };

  Location& location(Thread& thread, const void* p, const StrongAccess& access, uint64_t now);
  /// Forgets locations that share some but not all bytes with the access. Two such accesses are not morally strong, so
  /// other means must order the access after the store there.
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
