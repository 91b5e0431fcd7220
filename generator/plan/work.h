#pragma once

#include "draft.h"

namespace pallasgen {

// Where a role's next tile comes from: fills Plan::work and makes the constants of the tile order. False after a
// refusal.
bool plan_work(Draft& draft);

// Settings, clauses and grids that the language has and no pass honours yet, each refused by name with what works.
// False when there was one.
bool check_supported(Draft& draft);
// The same of statements, refs and operations.
bool check_body_supported(Draft& draft);

}  // namespace pallasgen
