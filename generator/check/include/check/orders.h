#pragma once

#include "check/kernel.h"

namespace pallasgen {

// True if programs may order their accesses to memory that they share: by grid_sync(), by loads and stores with an
// order, or by their tickets.
bool orders_accesses(const Kernel& kernel);

}  // namespace pallasgen
