#pragma once

#include <map>
#include <set>
#include <string>

#include "tile/program.h"

namespace pallasgen::schedule {

// Gives each value in shared memory that does not come out of a channel one from the role to itself, and makes tensor
// and bulk copies take what they write to global memory out of a channel.
void add_own_channels(tile::Program& program);

// Names the channel of a copy after the array, or after the value that it fills if copies of the array fill several
// values in shared memory.
class CopyNames {
 public:
  explicit CopyNames(const tile::Program& program);
  std::string of(const tile::Program& program, const tile::Read& read) const;

 private:
  std::map<int, std::set<int>> filled_;  // by ref
};

// The name, with `_` appended until no channel has it.
std::string channel_name(const tile::Program& program, std::string name);

}  // namespace pallasgen::schedule
