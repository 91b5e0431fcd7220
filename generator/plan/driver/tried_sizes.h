#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// Returns the number of warnings of a kernel's plan; nothing if there is no plan.
using PlanWarnings = std::function<std::optional<size_t>(const Kernel&)>;

// Changes with which a kernel that lacks memory or registers can be planned, such as "bn 192": for each const that is a
// block size and not the size of a whole array, the largest of a few smaller values that work; more warpgroups; if no
// single change works, all sizes halved. Each has a plan without warnings; if there are none, with at most `most`
// warnings.
std::vector<std::string> sizes_that_plan(const Kernel& kernel, const PlanWarnings& warnings, size_t most);

}  // namespace pallasgen
