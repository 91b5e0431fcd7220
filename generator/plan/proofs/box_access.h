#pragma once

#include "proofs/access.h"
#include "tile/program.h"

namespace pallasgen {

// Returns the access to a box; `dims`: for each of its dims the dim of the fragment, or of the block, along it.
program::Access box_access(const Draft& draft, const tile::Box& box, const std::vector<int>& dims, ProvedVector vector);

// Returns for each dim of a box the dim of its block; -1 for a dropped dim.
std::vector<int> block_dims(const tile::Box& box);
// Returns the sizes of a box's block, by name if they are those of the ref's block.
std::vector<Number> box_sizes(const Draft& draft, const tile::Box& box);
// Returns the sizes of a box's slot, which holds a value of this shape: the leading dims of the box are merged if it
// has more dims.
std::vector<Number> slot_sizes(const Draft& draft, const tile::Box& box, const Shape& shape);
Number box_elements(const Draft& draft, const tile::Box& box);

// Returns the sizes of a block of this shape, by name if the spec has one; prefers the names of the ref `first`.
std::vector<Number> sizes_of(const Draft& draft, const Shape& shape, const std::string& first = {});

}  // namespace pallasgen
