#pragma once

#include "kernel/context.h"

namespace pallasgen {

// What is wrong with a kernel that is typed. Each pass reports all it finds and changes nothing.

// grid_sync(): needs resident programs that all come to it. On whatever of the body is in order.
void check_grid_sync(Context& context);
// On a kernel whose grid and refs are in order.
void check_outside(Context& context);
// `whole`: the body is in order too; else only the races of blocks, which other statements cannot excuse, are looked
// for.
void check_races(Context& context, bool whole);
// On a kernel whose types are in order.
void check_effects(Context& context);
void check_empty_steps(Context& context);
// What is likely not meant: grids that do not fit the arrays, outputs that a guard decides about. Warnings alone.
void check_doubtful_grid(Context& context);
void check_doubtful_guards(Context& context);
void check_unguarded_outputs(Context& context);
void check_unread_values(Context& context);

}  // namespace pallasgen
