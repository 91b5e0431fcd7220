#pragma once

#include <map>
#include <string>

#include "lines.h"
#include "phrases.h"
#include "tile/program.h"

namespace pallasgen::tile {

// The choices of a program, a line each; dots have numbers: `without instructions 1  # why`.
std::string choices_text(const Program& program);
// The numbers of the dots in an expression, in the order of walk(), for the braces of its statement: "choices 0 1"; 0
// for a dot without choices. Empty if none of them has one.
std::string numbers_text(const Program& program, const TypedPtr& expr);

// Reads the choices of a program and finds the dots that they are for: a dot and its choices get one place.
class ChoiceReader {
 public:
  ChoiceReader(Program& program, Phrases& phrases) : program_(program), phrases_(phrases) {}

  // Reads a line of choices_text().
  void read(const Line& line);
  // The expression, whose dots have these numbers.
  TypedPtr numbered(const TypedPtr& expr, const std::vector<Piece>& attributes) const;

 private:
  Program& program_;
  Phrases& phrases_;
  std::map<int64_t, Span> dots_;  // by number
};

}  // namespace pallasgen::tile
