#pragma once

#include <memory>
#include <string>

#include "tile/program.h"

namespace pallasgen {

// What plans have no statements for in a role of a program whose values have homes and layouts.
class Unplanned {
 public:
  Unplanned(const tile::Program& program, const tile::Role& role);
  // What is missing of the statement itself, not of those inside it, in words ("a copy", "the layout of 'x'"); empty:
  // nothing. A store that is staged in chunks is one statement.
  std::string of(const tile::Statement& statement) const;
  // Whether each thread of the role holds the value, as one number.
  bool is_held_by_all(tile::ValueId value) const;

 private:
  class Rules;
  std::shared_ptr<const Rules> rules_;
};

}  // namespace pallasgen
