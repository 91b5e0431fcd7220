#pragma once

#include <string>

#include "interpret/array.h"

namespace pallasgen {

// Whether floats narrower than f32 were rounded as they must be: to the nearest. One element says nothing, as its
// tolerance is a whole unit of the last place and truncation is off by less; all of them together do: truncation moves
// them towards zero, half a unit in the mean, and rounding to nearest moves them nowhere. Gives what the elements
// are moved by, if that is more than a quarter of a unit in the mean of at least 256 of them; else empty.
std::string rounding_bias(const Array& got, const Array& want);

}  // namespace pallasgen
