#pragma once

#include "program/draft.h"

namespace pallasgen {

// Takes what does nothing out of the program of a role: loops over no elements, constants that nothing reads, and loops
// over elements that this leaves without statements. Checks of what such a constant reads are statements of their own
// and stay. Expects names and syncs to be given out later.
void drop_idle_statements(const Draft& draft, program::Statements& program);

}  // namespace pallasgen
