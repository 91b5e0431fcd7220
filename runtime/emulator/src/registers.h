#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wait.h"

namespace pallasgen::emulator {

struct Cta;
struct Thread;

/// The most registers that ptxas gives each thread of a CTA under `__launch_bounds__(threads, 1)`: 65536 shared evenly,
/// in steps of 8.
int registers_per_thread(int threads);

/// The registers of a CTA, which setmaxnreg moves between warps. The launch gives every thread registers_per_thread;
/// warps free registers into the pool that others take from.
class RegisterPool {
 public:
  explicit RegisterPool(int threads);

  void change(Thread& thread, int registers, bool increase);
  int free() const { return free_; }
  /// Fails if the warps of a warpgroup did not do the same.
  void check_at_exit() const;

 private:
  struct Change {
    int registers;
    bool increase;
  };
  struct WarpRegisters {
    int per_thread;
    std::vector<Change> changes;
    size_t granted = 0;  // number of granted changes
  };
  void grant();
  std::vector<WarpRegisters> warps_;
  std::vector<WarpRegisters*> asking_;  // each for one change, in the order in which they asked
  int free_;                            // per thread of one warp: 8 means 8 registers for each of 32 lanes
  WaitList waiting_;
};

}  // namespace pallasgen::emulator
