#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "tile/program.h"

namespace pallasgen {

// What the statements of loops compute from nothing that a turn changes. Compilers compute it in front of the loop and
// hold it, and let go of the operands that nothing else reads.
class Invariants {
 public:
  // `body`: of the role, which must outlive this.
  Invariants(const tile::Program& program, const tile::Role& role, const tile::Block& body);

  // 32-bit registers that a thread of the role needs for it in the loop, besides those of the values that are alive
  // there. Outer loops must be asked first: what they hold is not counted again.
  int64_t words(const tile::Statement& loop);

 private:
  const tile::Program& program_;
  const tile::Role& role_;
  std::map<int, int64_t> uses_;     // by value: in the whole body
  std::set<const Typed*> counted_;  // expressions
};

}  // namespace pallasgen
