#pragma once

#include <set>

#include "check/kernel.h"

namespace pallasgen {

// Guards each read of an array of scalars whose index is not proved to be inside: `t[i]` becomes
// `t[i] if i >= 0 and i < N else 0`. Adds the ids of these arrays to `guarded`.
TypedPtr with_guarded_elements(const Kernel& kernel, const TypedPtr& expr, std::set<int>& guarded);

// Returns the message of the fault that an index of the array is outside.
std::string fault_of_scalar_array(const Kernel& kernel, int scalar);

}  // namespace pallasgen
