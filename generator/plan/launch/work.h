#pragma once

#include <string>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// Where a role's next tile comes from: fills Plan::work and makes the constants of the tile order. False after a
// refusal.
bool plan_work(Draft& draft);
// What the threads of a CTA learn their next tile by, where CTAs take tiles as they get free: a queue between the
// roles, or a word where all threads go together. Expects the roles.
void plan_tile_queue(Draft& draft);

// Settings, clauses and grids that the language has and no pass honours yet, each refused by name with what works.
// False when there was one.
bool check_supported(Draft& draft);
// The same of statements, refs and operations.
bool check_body_supported(Draft& draft);
// Settings of the pipeline that the target or what the passes made of the kernel leaves no way to honour: refused.
bool check_pipeline(Draft& draft, const tile::Program& program);

}  // namespace pallasgen
