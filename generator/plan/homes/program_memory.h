#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Bytes of shared memory that a program's channels and places take, each with its owner.
struct ProgramMemory {
  std::vector<std::pair<int64_t, std::string>> parts;
  int64_t total() const;
};
ProgramMemory memory_of(const tile::Program& program);
// Bytes of shared memory for tiles in a program whose values have homes, of those that statements by elements make.
int64_t bytes_of_tiles(const tile::Program& homes);

}  // namespace pallasgen
