#pragma once

#include "interpret/interpret.h"
#include "statements.h"
#include "tile/program.h"

namespace pallasgen::interpreter {

// Runs the roles of a tile program for one program of the grid, at the environment's parallel axes. Each role has an
// environment of its own, a channel holds one entry (or its slots, see most_entries) that was put and not yet got, and
// `options.roles` says which role runs next if several can. Throws Fault if a rule is broken.
void run_tile_program(const tile::Program& program, Environment& environment, StatementRunner& runner,
                      const InterpretOptions& options);

}  // namespace pallasgen::interpreter
