#pragma once

#include <vector>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// The refusals and warnings of the planner, in the order of docs/errors.md.
const std::vector<Rule>& plan_rules();

}  // namespace pallasgen
