#pragma once

#include <vector>

#include "expression/typed.h"
#include "plan/program_values.h"

namespace pallasgen {

// True if a loop over a fragment whose neighbouring elements share a row may compute two at once: the value consists of
// sums, differences and products of 16-bit floats, which are elements, values of a row, or numbers of all threads.
bool goes_by_pairs(const TypedPtr& value, const std::vector<program::Binding>& bindings);

}  // namespace pallasgen
