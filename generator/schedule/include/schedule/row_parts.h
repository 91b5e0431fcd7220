#pragma once

#include <optional>

#include "tile/program.h"

namespace pallasgen::schedule {

// The program whose tiles are read, computed and written in `parts` equal parts of their rows, one after the other.
// Null if its only role does more than that, if the parts would differ in size, or if something mixes rows.
std::optional<tile::Program> cut_rows(const tile::Program& program, int64_t parts);
// The number of rows of the blocks that the program writes; 0 if they differ.
int64_t rows_written(const tile::Program& program);

}  // namespace pallasgen::schedule
