#pragma once
#include <pallasgen/memory_order.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "race.h"
#include "wait.h"

namespace pallasgen::emulator {

struct Cta;
struct Thread;

/// The 8 bytes of a barrier, in the emulator's own encoding: parity of the open phase, arrivals pending, arrivals per
/// phase, bytes outstanding (signed).
class MbarrierWord {
 public:
  static constexpr uint32_t kMaxCount = (1u << 20) - 1;
  static constexpr int64_t kMaxBytes = (1 << 20) - 1;

  static MbarrierWord open(uint32_t count) { return MbarrierWord(0).with(0, count, count, 0); }
  explicit MbarrierWord(uint64_t bits) : bits_(bits) {}

  uint64_t bits() const { return bits_; }
  uint32_t parity() const { return bits_ & 1; }
  uint32_t pending() const { return bits_ >> 1 & kMaxCount; }
  uint32_t count() const { return bits_ >> 21 & kMaxCount; }
  int64_t bytes() const { return static_cast<int64_t>(bits_ << 2) >> 43; }
  MbarrierWord with(uint32_t parity, uint32_t pending, uint32_t count, int64_t bytes) const {
    return MbarrierWord((static_cast<uint64_t>(bytes) & ((1u << 21) - 1)) << 41 | static_cast<uint64_t>(count) << 21 |
                        static_cast<uint64_t>(pending) << 1 | parity);
  }

 private:
  uint64_t bits_;
};

/// The emulator's state of a barrier besides its 8 bytes.
struct Mbarrier {
  size_t offset = 0;       // in shared memory
  uint64_t last = 0;       // the word as the last operation left it; another value means that something else wrote it
  uint64_t phase = 0;      // phases completed since init
  int initialised_by = 0;  // the thread, in the CTA
  bool fenced = false;  // fence.mbarrier_init or fence.proxy.async by that thread has run: the async proxy may use it
  WaitList waiting;
  race::Sync syncs[2];      // by parity of the phase
  race::Sync of_others[2];  // releases by threads of other CTAs: only a wait of cluster scope acquires them
};

/// The barriers of one CTA. Operations act on the 8 bytes in shared memory; each checks its rules (PTX ISA,
/// "mbarrier").
class Mbarriers {
 public:
  explicit Mbarriers(Cta& cta) : cta_(cta) {}

  void init(size_t offset, uint32_t count, Thread& thread, const void* pc);
  /// fence.mbarrier_init by `thread`: makes its initialised barriers visible to the cluster and the async proxy.
  void fence(Thread& thread);
  /// fence.proxy.async of shared memory by `thread`: makes them visible to the async proxy.
  void fence_proxy(const Thread& thread);
  /// The number of complete phases, for a copy that will complete bytes here; fails if the async proxy may not use it.
  uint64_t phase_for_copy(size_t offset);
  void invalidate(size_t offset, const Thread& thread, const void* pc);
  /// Records an access to the barrier that only its initialisation could race with.
  void touch(size_t offset, race::Context context, const void* pc) const;
  void arrive(size_t offset, const Thread& thread);
  /// Performs the arrival of an operation of the generic proxy.
  void arrive(size_t offset, race::Context context);
  void expect_bytes(size_t offset, uint32_t bytes);
  /// Completes bytes of a copy that was issued when `phase` phases were complete; `context` is the copy's. `of_other`:
  /// a thread of another CTA stored them, so that only a wait of cluster scope orders anything after them.
  void complete_bytes(size_t offset, uint32_t bytes, uint64_t phase, race::Context context, bool of_other = false);
  /// Orders the thread, which has waited for the phase of this parity, after it.
  void acquire(size_t offset, uint32_t parity, MemoryScope scope, const Thread& thread);
  /// True if the phase of this parity is complete.
  bool complete(size_t offset, uint32_t parity);
  Mbarrier& at(size_t offset, const char* what);

  void set_name(size_t offset, const std::string& name);
  /// The name of the barrier, empty if it has none.
  std::string name(size_t offset) const;
  /// "full[2] (+0x38020 of shared memory): phase 3 is open with parity 1, 0 of 1 arrivals, 16384 bytes outstanding".
  std::string describe(size_t offset) const;
  /// Fails if a barrier is left with bytes outstanding.
  void check_at_exit() const;

 private:
  MbarrierWord word(const Mbarrier& barrier) const;
  MbarrierWord checked_word(const Mbarrier& barrier, const char* what) const;
  void store(Mbarrier& barrier, MbarrierWord word);
  template <class Release>
  void arrive_and(size_t offset, Release release);
  void finish_phase_if_complete(Mbarrier& barrier, MbarrierWord word);
  std::string label(size_t offset) const;

  Cta& cta_;
  std::vector<std::unique_ptr<Mbarrier>> barriers_;
  std::vector<std::pair<size_t, std::string>> names_;
};

}  // namespace pallasgen::emulator
