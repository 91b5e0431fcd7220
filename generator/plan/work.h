#pragma once

#include <string>

#include "draft.h"
#include "tile/program.h"

namespace pallasgen {

// Where a role's next tile comes from: fills Plan::work and makes the constants of the tile order. False after a
// refusal.
bool plan_work(Draft& draft);

// Settings, clauses and grids that the language has and no pass honours yet, each refused by name with what works.
// False when there was one.
bool check_supported(Draft& draft);
// Orders of instructions that only plans of tile programs have: refused where such a plan is not made, for want of what
// `missing` names or of memory or registers.
bool check_orders(Draft& draft, const tile::Program& program, const std::string& missing);
// The same of statements, refs and operations.
bool check_body_supported(Draft& draft);

}  // namespace pallasgen
