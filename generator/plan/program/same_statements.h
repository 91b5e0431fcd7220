#pragma once

#include "plan/plan.h"

namespace pallasgen {

// True if two statements do the same with the same fragments, and print the same. Only kinds that occur in steps of a
// loop are compared; two statements of any other kind count as different.
bool same_statement(const program::Statement& a, const program::Statement& b);

}  // namespace pallasgen
