#pragma once

#include <memory>
#include <string>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

namespace missing_kinds {
class Rules;
}

// What plans have no statements for in a role of a program whose values have homes and layouts.
class Unplanned {
 public:
  Unplanned(const tile::Program& program, const tile::Role& role);
  // What is missing of the statement itself, not of those inside it, as a sentence; empty:
  // nothing. A store that is staged in chunks is one statement.
  std::string of(const tile::Statement& statement) const;
  // Whether each thread of the role holds the value, as one number.
  bool is_held_by_all(tile::ValueId value) const;

 private:
  std::shared_ptr<const missing_kinds::Rules> rules_;
};

// The program behind the last pass; where it stages stores that plans have no statements for, they are among
// retries without its staging (tile/choices.h).
tile::Program check_staged(tile::Program program);
// Refuses what is left: statements that plans have none for, by what is missing of them. False then.
bool check_planned(Draft& draft, const tile::Program& program);

}  // namespace pallasgen
