#pragma once

#include "check/kernel.h"

namespace pallasgen {

// True if only roles can compute the size of an axis, as it depends on other axes or on arrays of scalars.
bool is_of_device(const Kernel& kernel, const TypedPtr& size);

}  // namespace pallasgen
