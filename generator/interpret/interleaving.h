#pragma once

#include <cstddef>
#include <functional>

namespace pallasgen::interpreter {

// Threads of control of which one goes on at any time, until it waits for what another brings about.
class Interleaving {
 public:
  using Ready = std::function<bool()>;
  // Called by a thread of control: others may go on, and it does when `ready`. False where none can, or one has failed.
  using Wait = std::function<bool(const Ready&)>;
  using Control = std::function<void(size_t, const Wait&)>;
  // Which of so many that can go on does, counted in the order of the threads.
  using Pick = std::function<size_t(size_t)>;

  // `control(i, wait)` is thread i; the last one runs on the caller's own. What one throws first is thrown again when
  // all have ended.
  static void run(size_t threads, const Control& control, const Pick& pick);
};

}  // namespace pallasgen::interpreter
