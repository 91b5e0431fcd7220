#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// The box of its array that a ref's block is, at the symbols of the current step.
tile::Box box_of(const Kernel& kernel, int ref);
// Whether an index takes rows by one vector of integers, and its value has its dims in the order of the array's.
bool gathers_in_place(const std::vector<IndexItem>& index);
// The dim of a box whose elements lie where the integers of a vector say.
tile::BoxDim gathered_dim(const Kernel& kernel, const IndexGather& gather);
// Whether an element of the indices takes an element of each of its operands, and nothing more.
bool is_looked_up(const TypedPtr& indices);
// The mask of a ref's elements inside its array (`valid`), as comparisons of their coordinates.
TypedPtr mask_of(const Kernel& kernel, int ref, Span span);

}  // namespace pallasgen::schedule
