#pragma once

#include <map>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "interpret/interpret.h"

namespace pallasgen {

// With f64 in place of any other float dtype.
Array in_f64(const Array& array);

// What the roundings on the way to an output come to where addends cancel.
struct Sensitivity {
  // How far each element moves, computed in f64, where every float of the inputs moves at random by about half a unit
  // of f32, or of f64 where it is one: the largest of a few such moves, 0 for what is not finite.
  std::vector<double> moves;
  // How far from what is computed in f64 the interpreter's elements are at most, beyond a unit of the output's dtype: a
  // difference of equal sums is nothing else. 0 where the kernel rounds to narrower floats on the way, which it may
  // mean.
  double rounding = 0;
};
// Whether what the kernel makes of an output has nothing but roundings of f32 and f64 on the way: no approximations, no
// narrower floats, and no matrix products of such, whose sums instructions may cut.
bool is_computed_exactly(const Kernel& kernel);

// Of each output; nothing of kernels that take floats for their bits.
std::map<std::string, Sensitivity> sensitivities(const Kernel& kernel, const Arguments& arguments,
                                                 const std::map<std::string, Array>& interpreted);

}  // namespace pallasgen
