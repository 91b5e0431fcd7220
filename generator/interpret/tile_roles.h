#pragma once

#include "interpret/interpret.h"
#include "statements.h"
#include "tile/program.h"

namespace pallasgen::interpreter {

// What the roles of a tile program do for one program of the grid, at the environment's parallel axes. Each role runs
// in an environment of its own, a channel holds one entry that was put and not yet got, and `options.roles`
// says which role goes on where several can. Throws Fault where a rule is broken.
void run_tile_program(const tile::Program& program, Environment& environment, StatementRunner& runner,
                      const InterpretOptions& options);

}  // namespace pallasgen::interpreter
