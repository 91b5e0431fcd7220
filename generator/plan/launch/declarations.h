#pragma once

#include "program/draft.h"

namespace pallasgen {

// Puts DeclareLet and DeclareSteps into the tiles of a role's program, each where the axes that it depends on are known
// and only where the program uses it.
void declare_in_tiles(const Draft& draft, program::Statements& program);

}  // namespace pallasgen
