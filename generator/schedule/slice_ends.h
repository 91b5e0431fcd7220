#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Where a bounded slice ends along a dim of a box: elements from this one on are outside. It may be below 0 (all are
// outside) or above the size of the box (none is).
TypedPtr end_of_slice(const tile::BoxDim& dim);
// The condition that the slice ends before its box does.
TypedPtr ends_early(const tile::BoxDim& dim);
// True if it is proved that only the last step of the axis can have a slice that ends early.
bool ends_in_last_step(const Kernel& kernel, const Symbol& axis, const tile::BoxDim& dim);

}  // namespace pallasgen::schedule
