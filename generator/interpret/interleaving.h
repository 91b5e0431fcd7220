#pragma once

#include <cstddef>
#include <functional>

namespace pallasgen::interpreter {

// Runs threads of control one at a time: each runs until it waits for something that another does.
class Interleaving {
 public:
  using Ready = std::function<bool()>;
  // Called by a thread of control to let others run until `ready`. False if none can run, or one has failed.
  using Wait = std::function<bool(const Ready&)>;
  using Control = std::function<void(size_t, const Wait&)>;
  // Chooses which of so many threads that can run does, counted in their order.
  using Pick = std::function<size_t(size_t)>;

  // `control(i, wait)` is thread i; the last one runs on the caller's thread. The first exception of any of them is
  // thrown again after all have ended.
  static void run(size_t threads, const Control& control, const Pick& pick);
};

}  // namespace pallasgen::interpreter
