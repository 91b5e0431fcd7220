#pragma once

#include <cstdint>
#include <map>

#include "registers/invariants.h"
#include "tile/program.h"

namespace pallasgen {

// 32-bit registers that a thread of the role needs for a statement itself, in addition to those of values that are live
// before it: operands of searches, sums of runs of elements in scans, and bytes that are combined one by one. In loops
// over steps they include what compilers compute before the loop: places of elements that the outermost loop's loops
// over elements access, and expressions that no iteration changes.
class StatementWords {
 public:
  // `body`: the role's body, which contains the statements and must outlive this.
  StatementWords(const tile::Program& program, const tile::Role& role, const tile::Block& body);

  int64_t operator()(const tile::Statement& statement) const;

 private:
  // `places`, `invariants`: words for those of the loops around the block.
  void note(const tile::Block& block, int64_t places, int64_t invariants);

  const tile::Program& program_;
  const tile::Role& role_;
  Invariants invariants_;
  std::map<const tile::Statement*, int64_t> around_;  // words for places and invariants, by statement
};

}  // namespace pallasgen
