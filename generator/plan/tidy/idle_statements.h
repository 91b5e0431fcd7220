#pragma once

#include "program/draft.h"

namespace pallasgen {

// Removes statements without effect from the program of a role: loops over no elements, constants that nothing reads,
// and loops over elements that this leaves empty. Checks of the places that such a constant reads are separate
// statements and stay. Comes before names and syncs are assigned.
void drop_idle_statements(const Draft& draft, program::Statements& program);

}  // namespace pallasgen
