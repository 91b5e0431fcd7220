#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pallasgen::interpreter {

// Which programs wrote and read each element of an array that they share without an order: one that a program writes
// may not be written or read by another, whatever the order in which they run.
class Owners {
 public:
  Owners() = default;  // of an array that nobody watches
  explicit Owners(int64_t elements);

  struct Conflict {
    int64_t element;
    std::string what;  // "is written here and by program 3 of the grid", …
  };
  bool watch() const { return !writers_.empty(); }
  // Notes an access of `program` to `count` elements and gives what it meets. Atomics may meet atomics, and reads.
  std::optional<Conflict> write(int64_t element, int64_t count, int64_t program, bool atomic);
  std::optional<Conflict> read(int64_t element, int64_t count, int64_t program);

 private:
  std::vector<int64_t> writers_;  // who wrote last: 1 + program; 0: nobody, -1: atomics
  std::vector<int64_t> readers_;  // who read: 1 + program; 0: nobody, -1: several
};

}  // namespace pallasgen::interpreter
