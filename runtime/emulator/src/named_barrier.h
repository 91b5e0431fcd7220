#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "race.h"
#include "wait.h"

namespace pallasgen::emulator {

struct Cta;
struct Thread;
struct Warp;

/// The 16 named barriers of a CTA (bar.sync, bar.arrive); 0 is also __syncthreads. They count warps: each lane waits
/// for the others of its warp that have not exited, then the warp arrives, and counts as 32 threads.
class NamedBarriers {
 public:
  static constexpr int kCount = 16;

  explicit NamedBarriers(Cta& cta) : cta_(cta) {}

  /// `threads` 0 means all threads of the CTA that have not exited.
  void arrive(Thread& thread, int id, int threads);
  /// Arrives and waits; returns the sum over the participants of `value`.
  int sync(Thread& thread, int id, int threads, int value);
  /// Records that a thread has exited: its warp does not wait for it, and a barrier for all threads may be complete.
  void thread_exited(const Thread& thread);
  /// "named barrier 1: 96 of 128 threads have arrived".
  std::string describe(int id) const;

 private:
  /// The lanes of a warp on their way into a barrier, until all have come.
  struct WarpArrival {
    uint32_t lanes = 0;
    int threads = 0, value = 0;  // the count that the lanes passed, the sum of their values
    uint64_t arrivals = 0;       // number of the warp's arrivals
    uint64_t generation = 0;     // generation of the barrier at the last arrival
    WaitList waiting;            // lanes that continue when the warp has arrived
  };
  struct Barrier {
    int arrived = 0;
    int expected = 0;        // threads of the phase in progress; 0 between phases
    bool all = false;        // expected are all live threads
    int sum = 0, total = 0;  // sums of the phase in progress and of the last one
    uint64_t generation = 0;
    std::vector<WarpArrival> warps;
    WaitList waiting;
    race::Sync syncs[2];
  };
  struct Arrival {
    WarpArrival& warp;
    uint64_t number;  // number of the warp's arrivals at the time
  };
  /// Counts the lane in; its warp arrives with its last lane.
  Arrival enter(Thread& thread, int id, int threads, int value);
  void arrive_if_complete(int id, const Warp& warp);
  void finish_if_complete(Barrier& barrier);
  /// Returns 32 for each warp that has not exited.
  int live_threads() const;

  Cta& cta_;
  Barrier barriers_[kCount];
};

}  // namespace pallasgen::emulator
