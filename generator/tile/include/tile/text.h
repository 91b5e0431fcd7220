#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "tile/program.h"

namespace pallasgen::tile {

// The program's text: declarations, then one statement per line, blocks indented by two blanks, and `#` before the
// words of the spec that a statement comes from. docs/tile-programs.md has the grammar.
std::string to_text(const Program& program);
// The lines of the statements of a block.
std::string to_text(const Program& program, const Block& block);

// What a plan of the program takes from the spec: its declarations, and of each role the name, the attributes, the
// order of its programs of the grid and the families of its dots, a line each.
std::vector<std::string> frame_of(const Program& program);

// The line of one choice: `without staging c`.
std::string choice_text(const Program& program, const Choice& choice);

// Reads what to_text printed. The source must outlive the program. Null after an error (rule tile-text, or a rule of
// the language in an expression).
std::optional<Program> read_text(const SourceText& source, Diagnostics& diagnostics,
                                 std::shared_ptr<const ExternHeader> externs = nullptr);

}  // namespace pallasgen::tile
