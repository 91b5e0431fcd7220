#pragma once
#include <cstdint>
#include <deque>

#include "race.h"

namespace pallasgen::emulator {

/// The arrivals on barriers that follow a thread's cp.async copies (PTX ISA, "cp.async.mbarrier.arrive"). Each follows
/// the copies that the thread has started before it, and none that it starts later.
class CopyArrivals {
 public:
  /// Records that a copy starts; returns the number of the next arrival, which is the first one that follows the copy.
  uint64_t add_copy();
  /// Records that a copy, which arrival `number` is the first to follow, is complete; `context` is the copy's.
  void has_completed(uint64_t number, race::Context context);
  /// Records that an arrival is issued; returns its number.
  uint64_t add();
  /// True if the copies that arrival `number` follows are complete.
  bool is_due(uint64_t number) const;
  /// Performs arrival `number`, which is due: its context is ordered after the copies that it follows.
  void arrive(uint64_t number, race::Context context);

 private:
  /// The copies between an arrival and the one before it.
  struct Span {
    int copies = 0;  // outstanding
    bool arrived = false;
    alignas(8) uint64_t done = 0;  // released by its copies; by all before them, too, once the arrival has come
  };
  Span& span(uint64_t number) { return spans_[number - first_]; }

  std::deque<Span> spans_ = std::deque<Span>(1);  // no arrival has been issued for the last one
  uint64_t first_ = 0;                            // number of spans_[0]
};

}  // namespace pallasgen::emulator
