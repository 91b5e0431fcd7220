#pragma once

#include <map>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "interpret/interpret.h"

namespace pallasgen {

// The array with f64 instead of any other float dtype.
Array in_f64(const Array& array);

// The effect of intermediate roundings on an output whose addends cancel.
struct Sensitivity {
  // Per element, the largest change, computed in f64, over a few random perturbations of all float inputs by about half
  // a unit of f32 (of f64 for f64 inputs); 0 if the change is not finite.
  std::vector<double> moves;
  // The largest distance of the interpreter's elements from the result in f64, beyond a unit of the output's dtype: a
  // difference of equal sums consists of nothing else. 0 if the kernel rounds to narrower floats on the way, which may
  // be intended.
  double rounding = 0;
};
// True if a kernel rounds only to f32 and f64 before it stores: no approximations, no narrower floats, and no matrix
// products of narrower floats, whose sums the hardware may truncate.
bool is_computed_exactly(const Kernel& kernel);

// By output; empty for kernels that reinterpret the bits of floats.
std::map<std::string, Sensitivity> sensitivities(const Kernel& kernel, const Arguments& arguments,
                                                 const std::map<std::string, Array>& interpreted);

}  // namespace pallasgen
