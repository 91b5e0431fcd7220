#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Writes batches of matrices out where the target multiplies such matrices:
//
//   acc = acc + dot(x, y)                   acc_0 = acc_0 + dot(x[0, :, :], y[0, :, :])
//                                           acc_1 = acc_1 + dot(x[1, :, :], y[1, :, :])
//
// Each matrix of a value that a batch of products is added to or made into becomes a value of its own, and so does its
// part of the boxes that such values are read from and written to. A batch stays whole if it has too many matrices, if
// a value is not made from it matrix by matrix, or if a statement takes all of its matrices in another way.
void unroll_batches(tile::Program& program, const Target& target);

}  // namespace pallasgen
