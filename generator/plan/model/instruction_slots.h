#pragma once

#include "check/kernel.h"

namespace pallasgen {

// Estimates the instructions of the ordinary cores that one element of the expression takes in one lane. A special
// function counts as eight, as an SM has an eighth of the lanes for them.
double slots_of(const TypedPtr& expr, const Kernel& kernel);

}  // namespace pallasgen
