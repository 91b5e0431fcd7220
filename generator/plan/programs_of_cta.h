#pragma once

#include "draft.h"

namespace pallasgen {

// Gives each CTA as many programs as `schedule: {programs_per_cta: n}` says, each a row of the CTA's threads: small
// programs are too few threads for an SM where each has a CTA. Expects the roles' programs, shared memory and the work;
// false after a refusal, where programs would share what is a CTA's own.
bool gather_programs(Draft& draft);

}  // namespace pallasgen
