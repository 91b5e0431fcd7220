#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// A grid point: one value for each axis of the kernel, or for the first few. A negative or missing value is unknown.
using GridPoint = std::vector<int64_t>;

// The value of a dim, a scalar or num_sms; none if it is not given.
using GivenValue = std::function<std::optional<int64_t>(const Symbol&)>;

// The value of an index or bool expression at a grid point; none if it depends on an unknown value.
std::optional<int64_t> value_at(const Kernel& kernel, const TypedPtr& expr, const GridPoint& point,
                                const GivenValue& given = {});

}  // namespace pallasgen
