#pragma once

#include <optional>

#include "tile/program.h"

namespace pallasgen::schedule {

// The program whose tiles are read, computed and written in `parts` equal parts of their rows, one after the other.
// Null where its only role does more than that, where the parts would not be equal, or where something is no map of
// rows.
std::optional<tile::Program> cut_rows(const tile::Program& program, int64_t parts);
// The rows of the blocks that the program writes, 0 where they differ.
int64_t rows_written(const tile::Program& program);

}  // namespace pallasgen::schedule
