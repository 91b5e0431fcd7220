#pragma once

#include <vector>

#include "expression/typed.h"
#include "plan/program_values.h"

namespace pallasgen {

// Whether a loop over a fragment in which two neighbours share a row may compute the value of both at once: sums,
// differences and products of floats of 16 bits, of elements, of what all of a row has, and of numbers.
bool goes_by_pairs(const TypedPtr& value, const std::vector<program::Binding>& bindings);

}  // namespace pallasgen
