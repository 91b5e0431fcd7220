#pragma once

#include <optional>

#include "tile/program.h"

namespace pallasgen::schedule {

// Whether threads load the box themselves, it is of several elements, and it is the same for every one of several
// programs: a parameter.
bool is_parameter(const tile::Program& program, const tile::Statement& statement);

// Moves reads of what all programs read alike, as parameters of rows, behind the reductions that do not need it: the
// caches have it by then, and it takes no registers while rows are reduced. Reads of a program's own stay in front,
// where what they wait for is under way at once.
void read_parameters_late(tile::Program& program);

// The program with the threads' own reads where their values are used, behind stores of what does not need them:
// compilers do not move loads over stores of other arrays, so that registers need not hold all blocks at once. Nothing:
// no read can move.
std::optional<tile::Program> with_reads_behind_stores(const tile::Program& program);

}  // namespace pallasgen::schedule
