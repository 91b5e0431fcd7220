#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace pallasgen::interpreter {

// Runs programs that wait for each other, one at a time and in a fixed order: each goes on until it waits or ends, then
// the next one does; when all have, those that wait go on in the same order.
class Rendezvous {
 public:
  // `program(i, wait)` runs the program at place i; it calls wait() to wait for the others, which returns false where
  // another program has ended and will never come.
  using Program = std::function<void(size_t, const std::function<bool()>&)>;
  static void run(size_t programs, const Program& program);
};

}  // namespace pallasgen::interpreter
