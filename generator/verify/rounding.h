#pragma once

#include <string>

#include "interpret/array.h"

namespace pallasgen {

// Checks that floats narrower than f32 were rounded to nearest. A single element cannot show it, since its tolerance is
// a whole unit of the last place and truncation errs by less. All of them together can: truncation moves values towards
// zero by half a unit on average, rounding to nearest by nothing. Returns a description of the bias if it exceeds a
// quarter of a unit on average over at least 256 elements; otherwise empty.
std::string rounding_bias(const Array& got, const Array& want);

}  // namespace pallasgen
