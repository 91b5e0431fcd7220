#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "interpret/interpret.h"

namespace pallasgen {

// The first grid point in the grid's order whose block of `ref` holds the element, by its parallel axes: "m=1, n=2".
// Empty if the index maps use more than axes, dims and lets, if the grid has no axis, or if the point is not among the
// first million.
std::string grid_point_of(const Kernel& kernel, const Ref& ref, const std::vector<int64_t>& element,
                          const Arguments& arguments);

}  // namespace pallasgen
