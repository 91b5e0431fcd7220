#pragma once

#include "program/draft.h"

namespace pallasgen {

// Names the descriptors of the instructions' operands: one variable for each way in which a role's instructions read an
// operand. Marks those that an earlier instruction of the block has made for the same slot.
void name_descriptors(const Draft& draft, program::Statements& statements);

}  // namespace pallasgen
