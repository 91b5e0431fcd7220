#pragma once

#include "program/draft.h"

namespace pallasgen {

// What follows from the programs: parameters of roles, kernel and launcher, sizes, requirements, the functions and the
// constants of the spec that are used, warps and declarations of the roles.
void finish_roles(Draft& draft);
void finish_launch(Draft& draft);
void finish_constants(Draft& draft);

}  // namespace pallasgen
