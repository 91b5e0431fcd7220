#pragma once

#include "program/draft.h"

namespace pallasgen {

// Gives the descriptors of the instructions' operands their variables: one for each way in which a role's instructions
// read an operand. Those that an earlier instruction of the same block has made, for the same slot, are marked.
void name_descriptors(const Draft& draft, program::Statements& statements);

}  // namespace pallasgen
