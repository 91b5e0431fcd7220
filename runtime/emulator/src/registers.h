#pragma once
#include <cstdint>
#include <vector>

#include "wait.h"

namespace pallasgen::emulator {

struct Cta;
struct Thread;

/// The registers of a CTA as setmaxnreg moves them between warps. The launch gives every thread the same number, the
/// most that fits 65536 registers at one CTA per multiprocessor, in steps of 8 (as ptxas does under
/// `__launch_bounds__(threads, 1)`); what warps give back goes to the pool that others take from.
class RegisterPool {
 public:
  explicit RegisterPool(int threads);

  void change(Thread& thread, int registers, bool increase);
  int free() const { return free_; }
  /// Fails when the warps of a warpgroup did not do the same.
  void check_at_exit() const;

 private:
  struct Change {
    int registers;
    bool increase;
  };
  struct WarpRegisters {
    int per_thread;
    std::vector<Change> changes;
  };
  std::vector<WarpRegisters> warps_;
  int free_;  // per thread of one warp, so that 8 means 8 registers for each of 32 lanes
  WaitList waiting_;
};

}  // namespace pallasgen::emulator
