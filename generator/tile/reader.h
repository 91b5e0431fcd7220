#pragma once

#include <string>
#include <vector>

#include "choices_text.h"
#include "phrases.h"

namespace pallasgen::tile {

// Reads the statements of a tile program, from line `at` on, into `program`. Errors go to `diagnostics`.
class Reader {
 public:
  Reader(const std::vector<Line>& lines, size_t at, Typing& typing, Program& program, Diagnostics& diagnostics)
      : lines_(lines),
        at_(at),
        typing_(typing),
        program_(program),
        diagnostics_(diagnostics),
        phrases_(typing, program, diagnostics),
        choices_(program, phrases_) {}

  void run();

 private:
  void expect(const std::string& text);
  // Reads `channel name(member: type, …) {moves …, from role, to role}`.
  void channel(const Line& line);

  Block block(int depth);
  Statement statement(const Line& line, int depth);
  Statement loop(const Line& line, const WithAttributes& parts, int depth);
  Statement branch(const Line& line, const WithAttributes& parts, int depth);
  Statement definition(const Line& line, const Piece& name, const Piece& type, const Piece& what);
  Statement print(const Line& line, const Piece& rest);
  Statement effect(const Line& line, const Piece& text);
  Statement put(const Line& line);
  std::optional<Statement> protocol(const Line& line);

  const std::vector<Line>& lines_;
  size_t at_;
  Typing& typing_;
  Program& program_;
  Diagnostics& diagnostics_;
  Phrases phrases_;
  ChoiceReader choices_;
  int64_t threads_ = 0;  // of the role that is read
};

}  // namespace pallasgen::tile
