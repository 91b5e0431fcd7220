#pragma once

#include <optional>
#include <string>

#include "diagnostics/diagnostic.h"
#include "tile/program.h"

namespace pallasgen::tile {

// The program's text: declarations, then one statement per line, blocks two blanks deeper, `#` before the words of the
// spec that a statement comes from. docs/tile-programs.md has the grammar.
std::string to_text(const Program& program);
// The lines of some of its statements.
std::string to_text(const Program& program, const Block& block);

// Reads what to_text printed. The source outlives the program. Null after an error (rule
// tile-text, or one of the language's in an expression).
std::optional<Program> read_text(const SourceText& source, Diagnostics& diagnostics,
                                 std::shared_ptr<const ExternHeader> externs = nullptr);

}  // namespace pallasgen::tile
