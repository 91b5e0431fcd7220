#pragma once

#include "draft.h"

namespace pallasgen {

// Warns of what the finished plan does far from what the hardware could do: accesses whose warps touch many more
// sectors than they want, small elements that threads move one by one, random bits that elements draw alone.
// `program`: what it was made of, whose decisions are the reasons.
void warn_of_slow_paths(Draft& draft, const tile::Program& program);

}  // namespace pallasgen
