#pragma once

#include "kernel/context.h"

namespace pallasgen {

// Passes that look for errors in a typed kernel. Each reports all that it finds and changes nothing.

// grid_sync() needs resident programs that all reach it. Runs on the part of the body without errors.
void check_grid_sync(Context& context);
// Needs a kernel whose grid and refs have no errors.
void check_outside(Context& context);
// `whole`: the body has no errors either. Otherwise checks only races of blocks, which no statement can excuse.
void check_races(Context& context, bool whole);
// Needs a kernel whose types have no errors.
void check_effects(Context& context);
void check_empty_steps(Context& context);
// Warns about likely mistakes: grids that do not fit the arrays, and outputs that depend on a guard.
void check_doubtful_grid(Context& context);
void check_doubtful_guards(Context& context);
void check_unguarded_outputs(Context& context);
void check_unread_values(Context& context);

}  // namespace pallasgen
