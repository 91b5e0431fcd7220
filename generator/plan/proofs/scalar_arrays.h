#pragma once

#include <set>

#include "check/kernel.h"

namespace pallasgen {

// The expression with each element of an array of scalars that is not proved to lie inside read only where it does:
// `t[i]` becomes `t[i] if i >= 0 and i < N else 0`. The ids of these arrays are added to `guarded`.
TypedPtr with_guarded_elements(const Kernel& kernel, const TypedPtr& expr, std::set<int>& guarded);

// What a fault of an index of the array says.
std::string fault_of_scalar_array(const Kernel& kernel, int scalar);

}  // namespace pallasgen
