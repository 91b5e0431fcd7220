#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Where a bounded slice ends along a dim of a box: nothing from this element on is inside. It may be below 0 (nothing
// is) and above the size of the box (all of it is).
TypedPtr end_of_slice(const tile::BoxDim& dim);
// That the slice ends before its box does.
TypedPtr ends_early(const tile::BoxDim& dim);
// Whether it can be proved that no step of the axis but its last has a slice that ends early.
bool ends_in_last_step(const Kernel& kernel, const Symbol& axis, const tile::BoxDim& dim);

}  // namespace pallasgen::schedule
