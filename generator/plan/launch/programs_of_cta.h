#pragma once

#include "program/draft.h"

namespace pallasgen {

// How many programs a CTA has, each a row of its threads: as many as `schedule: {programs_per_cta: n}` says. Small
// programs are too few threads for an SM where each has a CTA.
void decide_programs(Draft& draft);
// False after a refusal, where programs would share what is a CTA's own, or a CTA has not so many threads. Expects the
// roles' programs, shared memory and the work.
bool check_programs(Draft& draft);

}  // namespace pallasgen
