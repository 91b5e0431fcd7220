#pragma once

#include <map>
#include <set>
#include <string>

#include "tile/program.h"

namespace pallasgen::schedule {

// Gives each value in shared memory that does not come out of a channel one of its own, from the role to itself, and
// lets tensor and bulk copies take what they write to global memory out of one.
void make_crossings(tile::Program& program);

// What a copy of an array is called: as the array, or, where copies of it fill several values in shared memory, as the
// value that it fills.
class CopyNames {
 public:
  explicit CopyNames(const tile::Program& program);
  std::string of(const tile::Program& program, const tile::Read& read) const;

 private:
  std::map<int, std::set<int>> filled_;  // by ref
};

// A name for a channel, which none has yet.
std::string channel_name(const tile::Program& program, std::string name);

}  // namespace pallasgen::schedule
