#pragma once

#include "plan/plan.h"

namespace pallasgen {

// Whether two statements do the same with the same fragments, and print the same. Only the kinds that steps of a loop
// have are known; of others two are never the same.
bool same_statement(const program::Statement& a, const program::Statement& b);

}  // namespace pallasgen
