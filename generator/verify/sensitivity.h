#pragma once

#include <map>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "interpret/interpret.h"

namespace pallasgen {

// With f64 in place of any other float dtype.
Array in_f64(const Array& array);

// How far each element of the outputs moves where every float of the inputs moves at random by about half a unit of
// f32, or of f64 where it is one, computed in f64: what the roundings on the way come to where addends cancel. The
// largest of a few such moves, and how far the interpreter's own roundings have moved `interpreted`, beyond a unit of
// the output's dtype: a difference of two equal sums moves by nothing else. 0 for what is not finite, and nothing of
// kernels that take floats for their bits.
std::map<std::string, std::vector<double>> sensitivities(const Kernel& kernel, const Arguments& arguments,
                                                         const std::map<std::string, Array>& interpreted);

}  // namespace pallasgen
