#pragma once

#include <cstdint>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// Blocks that the threads of a role load and store by vectors.
class MovedBlocks {
 public:
  MovedBlocks(const tile::Program& program, const tile::Role& role);

  // The values, the largest first: vectors that are broadcast to large blocks are loaded as those need them.
  std::vector<tile::ValueId> values() const;
  // The most elements that threads load or store at once of a block of this shape; 0: they move none.
  int64_t widest(const Shape& shape) const;
  // The same, also for blocks that another path brings: sums of rows have the same bits with and without a producer.
  int64_t widest_by_any_path(const Shape& shape) const;
  // True if a vector that all programs share, loaded by any path, is used along the rows of a block of this shape.
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
