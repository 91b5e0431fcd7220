#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace pallasgen::interpreter {

// Runs programs that wait for each other, one at a time and in a fixed order: each runs until it waits or ends, then
// the next one does; after all have, those that wait continue in the same order.
class Rendezvous {
 public:
  // `program(i, wait)` runs the program at place i. It calls wait() to wait for the others, which returns false if
  // another program has ended and will never come.
  using Program = std::function<void(size_t, const std::function<bool()>&)>;
  static void run(size_t programs, const Program& program);
};

}  // namespace pallasgen::interpreter
