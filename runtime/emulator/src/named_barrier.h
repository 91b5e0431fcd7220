#pragma once
#include <cstdint>
#include <string>

#include "race.h"
#include "wait.h"

namespace pallasgen::emulator {

struct Cta;
struct Thread;

/// The 16 named barriers of a CTA (bar.sync, bar.arrive); 0 is also __syncthreads.
class NamedBarriers {
 public:
  static constexpr int kCount = 16;

  explicit NamedBarriers(Cta& cta) : cta_(cta) {}

  /// `threads` 0 stands for all threads of the CTA that have not exited.
  void arrive(Thread& thread, int id, int threads);
  /// Arrives and waits; returns the sum over the participants of `value`.
  int sync(Thread& thread, int id, int threads, int value);
  /// A thread has exited: a barrier for all threads may now be complete.
  void thread_exited();
  /// "named barrier 1: 96 of 128 threads have arrived".
  std::string describe(int id) const;
  /// Fails when threads have arrived at a barrier that never completed.
  void check_at_exit() const;

 private:
  struct Barrier {
    int arrived = 0;
    int expected = 0;        // threads of the phase in progress; 0 between phases
    bool all = false;        // expected is whatever is alive
    int sum = 0, total = 0;  // of the phase in progress, of the last one
    uint64_t generation = 0;
    WaitList waiting;
    race::Sync syncs[2];
  };
  /// Counts the arrival in; the generation it belongs to.
  uint64_t enter(Thread& thread, int id, int threads, int value);
  void finish_if_complete(Barrier& barrier);

  Cta& cta_;
  Barrier barriers_[kCount];
};

}  // namespace pallasgen::emulator
