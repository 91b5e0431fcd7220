#pragma once

#include <optional>

#include "tile/program.h"

namespace pallasgen::schedule {

// True for a read of a parameter: threads load the box themselves, it has several elements, and all of several programs
// read the same.
bool is_parameter(const tile::Program& program, const tile::Statement& statement);

// Moves reads of parameters of rows, which all programs read, after the reductions that do not need them: the caches
// have them by then, and they take no registers while rows are reduced. Other reads stay first, so that their latency
// starts at once.
void read_parameters_late(tile::Program& program);

// The program with the threads' own reads moved to the uses of their values, after stores that do not need them:
// compilers do not move loads over stores of other arrays, so registers need not hold all blocks at once. Nothing if no
// read can move.
std::optional<tile::Program> with_reads_behind_stores(const tile::Program& program);

}  // namespace pallasgen::schedule
