#pragma once

#include "check/kernel.h"

namespace pallasgen {

// Instructions of the ordinary cores that one element of the expression takes in one lane; an estimate, in which a
// special function counts for eight: an SM has an eighth of the lanes for them.
double slots_of(const TypedPtr& expr, const Kernel& kernel);

}  // namespace pallasgen
