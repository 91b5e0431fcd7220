#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// How many warnings the plan of a kernel has; nothing where there is no plan.
using PlanWarnings = std::function<std::optional<size_t>(const Kernel&)>;

// What a plan that lacks memory or registers could do with: "bn 192", for each const that sizes of blocks are, and not
// those of whole arrays, the largest of a few smaller values with which the kernel plans, and for more warpgroups;
// where no single one does, all sizes halved. Every one was planned, without warnings; where that finds nothing, with
// so many at the most.
std::vector<std::string> sizes_that_plan(const Kernel& kernel, const PlanWarnings& warnings, size_t most);

}  // namespace pallasgen
