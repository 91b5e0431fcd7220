#pragma once

#include "program/draft.h"

namespace pallasgen {

// Adds DeclareLet and DeclareSteps to the tiles of a role's program, where the axes that each depends on have values
// and only if the program uses it.
void declare_in_tiles(const Draft& draft, program::Statements& program);

}  // namespace pallasgen
