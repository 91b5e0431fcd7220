#pragma once

#include "proofs/access.h"
#include "tile/program.h"

namespace pallasgen {

// A box of an array as an access; `dims`: for each of its dims the dim of the fragment, or of the block, along it.
program::Access box_access(const Draft& draft, const tile::Box& box, const std::vector<int>& dims, ProvedVector vector);

// The numbers of a box's dims among those of the block that it gives; -1: it is dropped.
std::vector<int> block_dims(const tile::Box& box);
// The sizes of the block, by name where they are those of the ref's.
std::vector<Number> box_sizes(const Draft& draft, const tile::Box& box);
// The sizes of its slot, which holds a value of this shape: of rows that lie one behind the other the leading dims of
// the box are one.
std::vector<Number> slot_sizes(const Draft& draft, const tile::Box& box, const Shape& shape);
Number box_elements(const Draft& draft, const tile::Box& box);

// The sizes of a block of this shape, by name where the spec gives one: the ref `first` before others.
std::vector<Number> sizes_of(const Draft& draft, const Shape& shape, const std::string& first = {});

}  // namespace pallasgen
