#pragma once

#include <memory>
#include <string>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

namespace lowering_limits {
class Rules;
}

// Finds what plans have no statements for in a role of a program whose values have homes and layouts.
class LoweringLimits {
 public:
  LoweringLimits(const tile::Program& program, const tile::Role& role);
  // Returns what is missing for the statement itself, not those inside it, as a sentence; empty if nothing is. A store
  // that is staged in chunks is one statement.
  std::string why_not_lowered(const tile::Statement& statement) const;
  // True if each thread of the role holds the value, as one number.
  bool is_held_by_all(tile::ValueId value) const;

 private:
  std::shared_ptr<const lowering_limits::Rules> rules_;
};

// Returns the program, after the last pass, with a retry (tile/choices.h) without staging for each staged store that
// plans have no statements for.
tile::Program check_staged(tile::Program program);
// Reports an error for each remaining statement that plans have none for, and what is missing. False if there are any.
bool check_lowered(Draft& draft, const tile::Program& program);

}  // namespace pallasgen
