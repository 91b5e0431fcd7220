#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "interpret/interpret.h"

namespace pallasgen {

// The grid point whose block of `ref` holds the element, "m=1, n=2" by its parallel axes: of several the first in the
// grid's order. Empty where index maps need more than axes, dims and lets, where the grid has no axis, or where it is
// not found among the first million points.
std::string grid_point_of(const Kernel& kernel, const Ref& ref, const std::vector<int64_t>& element,
                          const Arguments& arguments);

}  // namespace pallasgen
