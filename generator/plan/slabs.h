#pragma once

#include "body.h"

namespace pallasgen {

// Splits a group's rows into parts whose fragments fit in registers, when the whole does not. False after a refusal.
bool choose_slabs(Draft& draft, BlockFrame& frame);
// The statements, in a loop over the slabs where there are several.
program::Statements in_slabs(const BlockFrame& frame, program::Statements statements);

}  // namespace pallasgen
