#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pallasgen::interpreter {

// Which programs wrote and read each element of an array that they share without an order. An element that one program
// writes must not be written or read by another, in whatever order they run.
class Owners {
 public:
  Owners() = default;  // watches no array
  explicit Owners(int64_t elements);

  struct Conflict {
    int64_t element;
    std::string what;  // "is written here and by program 3 of the grid", …
  };
  bool watch() const { return !writers_.empty(); }
  // Records an access of `program` to `count` elements; returns a conflict, if any. Atomics conflict with plain writes
  // only.
  std::optional<Conflict> write(int64_t element, int64_t count, int64_t program, bool atomic);
  std::optional<Conflict> read(int64_t element, int64_t count, int64_t program);

 private:
  std::vector<int64_t> writers_;  // 1 + the program that wrote last; 0: none, -1: atomics
  std::vector<int64_t> readers_;  // 1 + the program that read; 0: none, -1: several
};

}  // namespace pallasgen::interpreter
