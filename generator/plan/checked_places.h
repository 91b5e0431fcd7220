#pragma once

#include "draft.h"

namespace pallasgen {

// Where a copy, a load or a store of a block reads its place from an array that a variable before it holds for a check,
// the variable stands in its place. Expects all such variables and checks in the program of a role.
void use_checked_places(const Draft& draft, program::Statements& statements);

}  // namespace pallasgen
