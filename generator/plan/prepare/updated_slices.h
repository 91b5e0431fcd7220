#pragma once

#include "check/kernel.h"

namespace pallasgen {

// Returns the kernel with a separate accumulator for each slice of columns to which dots are added, because matrix
// instructions only add to whole accumulators:
//
//   acc[...] = 0                            acc[...] = 0; acc_64[...] = 0
//   acc[:, 0:64] += dot(a, b)               acc[...] += dot(a, b)
//   acc[:, 64:128] += dot(a, c)             acc_64[...] += dot(a, c)
//   x[...] = acc[:, 64:128]                 x[...] = acc_64[...]
//
// Null if no dot is added to a slice; if slices are not constant, overlap or are not whole units of the instructions'
// columns; or if an expression takes all columns and is not an elementwise one that is stored to the accumulator.
std::shared_ptr<const Kernel> with_slices_as_accumulators(const Kernel& kernel);

}  // namespace pallasgen
