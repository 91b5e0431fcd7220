#pragma once

#include <cstdint>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// What the threads of a role load and store as blocks, by vectors.
class MovedBlocks {
 public:
  MovedBlocks(const tile::Program& program, const tile::Role& role);

  // The values. The largest come first: vectors that are stretched to them are loaded as they need them.
  std::vector<tile::ValueId> values() const;
  // The most elements that threads load or store at once of a block of this shape; 0: there is none.
  int64_t widest(const Shape& shape) const;
  // The same, also where another path brings the block: sums of rows have the same bits with a producer and without.
  int64_t widest_by_any_path(const Shape& shape) const;
  // Whether a vector that is the same for all programs, by whatever path, stands along the rows of a block of this
  // shape.
  bool has_parameters(const Shape& shape) const;

 private:
  struct Moved {
    tile::ValueId value;
    int64_t vector;
  };

  const tile::Program& program_;
  std::vector<Moved> moved_;
};

}  // namespace pallasgen
