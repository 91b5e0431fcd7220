#pragma once

#include "plan/plan.h"

namespace pallasgen {

// Merges consecutive single-element stores with equal conditions on dims and coordinates into one branch.
void share_conditions(program::Statements& statements);

}  // namespace pallasgen
