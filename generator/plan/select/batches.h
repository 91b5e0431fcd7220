#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Writes batches of matrices out where the target multiplies such matrices:
//
//   acc = acc + dot(x, y)                   acc_0 = acc_0 + dot(x[0, :, :], y[0, :, :])
//                                           acc_1 = acc_1 + dot(x[1, :, :], y[1, :, :])
//
// Each matrix of what a batch of products is added to or made into becomes a value of its own, and so does its part of
// the boxes that such values are read from and written to. A batch stays whole where it has more matrices than these,
// where a value made of it is no map of its matrices, and where a statement takes all of them otherwise.
void write_out_batches(tile::Program& program, const Target& target);

}  // namespace pallasgen
