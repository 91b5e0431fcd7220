#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Bytes of shared memory that a program's channels and places take, and whose they are.
struct ProgramMemory {
  std::vector<std::pair<int64_t, std::string>> parts;
  int64_t total() const;
};
ProgramMemory memory_of(const tile::Program& program);
// The same of a program whose values have homes: bytes that statements by elements keep in shared memory, where none is
// computed as it is used.
int64_t bytes_of_tiles(const tile::Program& homes);
// Bytes of a block of this shape.
int64_t bytes_of(DType dtype, const Shape& shape);

}  // namespace pallasgen
