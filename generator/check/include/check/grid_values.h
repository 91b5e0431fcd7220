#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// A grid point: one value per axis of the kernel, or of the first few. One that is negative or left out is not known.
using GridPoint = std::vector<int64_t>;

// What a dim, a scalar or num_sms is; none where that is not given.
using GivenValue = std::function<std::optional<int64_t>(const Symbol&)>;

// The value of an index or bool expression at a grid point; none where it depends on what is not known.
std::optional<int64_t> value_at(const Kernel& kernel, const TypedPtr& expr, const GridPoint& point,
                                const GivenValue& given = {});

}  // namespace pallasgen
