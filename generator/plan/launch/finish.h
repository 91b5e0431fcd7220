#pragma once

#include "program/draft.h"

namespace pallasgen {

// Fill in what follows from the roles' programs: the roles' declarations and parameters, and the functions they call;
// then the launcher's parameters, sizes and requirements; then the constants of the spec that the kernel uses.
void finish_roles(Draft& draft);
void finish_launch(Draft& draft);
void finish_constants(Draft& draft);

}  // namespace pallasgen
