#pragma once

#include <cstdint>
#include <map>

#include "registers/invariants.h"
#include "tile/program.h"

namespace pallasgen {

// 32-bit registers that a thread of the role needs for a statement itself, besides those of the values that are alive
// before it: operands of searches, sums of runs of elements in scans, bytes that are combined one by one, and, in loops
// over steps, what compilers compute in front of these: the places of what all loops over elements in the outermost one
// reach, and what no turn changes.
class StatementWords {
 public:
  // `body`: of the role, in which the statements stand, and which must outlive this.
  StatementWords(const tile::Program& program, const tile::Role& role, const tile::Block& body);

  int64_t operator()(const tile::Statement& statement) const;

 private:
  // `places`, `invariants`: words of those of the loops around the block.
  void note(const tile::Block& block, int64_t places, int64_t invariants);

  const tile::Program& program_;
  const tile::Role& role_;
  Invariants invariants_;
  std::map<const tile::Statement*, int64_t> around_;  // for places and invariants, by statement
};

}  // namespace pallasgen
