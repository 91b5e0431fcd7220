#pragma once

#include "program/draft.h"

namespace pallasgen {

// Makes of the decisions about how arrays move and where values lie, which passes took before the statements were made,
// what these statements do: by what and how many elements at once an array is read and written, and which values have a
// place in shared memory.
void tell_what_is_done(Draft& draft);

}  // namespace pallasgen
