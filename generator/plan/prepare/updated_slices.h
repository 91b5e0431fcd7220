#pragma once

#include "check/kernel.h"

namespace pallasgen {

// The kernel with an accumulator of its own for each slice of columns that dots are added to, as instructions add to
// whole accumulators alone:
//
//   acc[...] = 0                            acc[...] = 0; acc_64[...] = 0
//   acc[:, 0:64] += dot(a, b)               acc[...] += dot(a, b)
//   acc[:, 64:128] += dot(a, c)             acc_64[...] += dot(a, c)
//   x[...] = acc[:, 64:128]                 x[...] = acc_64[...]
//
// Null where no dot is added to a slice; where slices are no constant ones, overlap, or have no whole units of columns
// of instructions; or where an expression takes all columns that is not elementwise and stored to the accumulator.
std::shared_ptr<const Kernel> with_slices_as_accumulators(const Kernel& kernel);

}  // namespace pallasgen
