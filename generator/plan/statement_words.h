#pragma once

#include <cstdint>
#include <map>

#include "tile/program.h"

namespace pallasgen {

// 32-bit registers that a thread of the role needs for a statement itself, besides those of the values that are alive
// before it: operands of searches, sums of runs of elements in scans, bytes that are combined one by one, and, in loops
// over steps, the places of what all loops over elements in the outermost of these reach, which compilers compute in
// front of it.
class StatementWords {
 public:
  // `body`: of the role, in which the statements stand, and which must outlive this.
  StatementWords(const tile::Program& program, const tile::Role& role, const tile::Block& body);

  int64_t operator()(const tile::Statement& statement) const;

 private:
  void note(const tile::Block& block, int64_t around);

  const tile::Program& program_;
  const tile::Role& role_;
  std::map<const tile::Statement*, int64_t> around_;  // for the places, by statement
};

}  // namespace pallasgen
