#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// The box of its array that a ref's block is, at the symbols of the current step.
tile::Box box_of(const Kernel& kernel, int ref);
// True if an index takes rows by one vector of integers and its value has the array's order of dims.
bool gathers_in_place(const std::vector<IndexItem>& index);
// The dim of a box whose elements are at the places in a vector of integers.
tile::BoxDim gathered_dim(const Kernel& kernel, const IndexGather& gather);
// True if each element of the indices depends on one element of each operand and on nothing more.
bool is_looked_up(const TypedPtr& indices);
// The mask of a ref's elements inside its array (`valid`), as comparisons of their coordinates.
TypedPtr mask_of(const Kernel& kernel, int ref, Span span);

}  // namespace pallasgen::schedule
