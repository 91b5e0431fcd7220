#pragma once

#include "plan/plan.h"

namespace pallasgen {

// Stores of one element behind one another under the same condition of dims and coordinates stand under it together.
void share_conditions(program::Statements& statements);

}  // namespace pallasgen
