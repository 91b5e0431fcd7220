#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "tile/program.h"

namespace pallasgen {

// Expressions in loops that no iteration changes. Compilers compute them before the loop and hold their results, and
// free the registers of operands that nothing else reads.
class Invariants {
 public:
  // `body`: the role's body, which must outlive this.
  Invariants(const tile::Program& program, const tile::Role& role, const tile::Block& body);

  // Returns the 32-bit registers that a thread of the role needs for these results in the loop, in addition to those of
  // live values. Must be called for outer loops first: expressions that they hold are not counted again.
  int64_t words(const tile::Statement& loop);

 private:
  const tile::Program& program_;
  const tile::Role& role_;
  std::map<int, int64_t> uses_;     // uses of each value in the whole body
  std::set<const Typed*> counted_;  // expressions
};

}  // namespace pallasgen
