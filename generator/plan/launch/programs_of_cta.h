#pragma once

#include "program/draft.h"

namespace pallasgen {

// Sets the number of programs of a CTA, each a row of its threads: `schedule: {programs_per_cta: n}`. With one CTA for
// each small program, an SM would have too few threads.
void decide_programs(Draft& draft);
// Returns false after a refusal: the programs would share resources of the CTA, or have more threads than a CTA.
// Expects the roles' programs, shared memory and the work.
bool check_programs(Draft& draft);

}  // namespace pallasgen
