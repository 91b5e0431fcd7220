#pragma once

#include "access.h"
#include "tile/program.h"

namespace pallasgen {

// A box of an array as an access; `dims`: for each of its dims the dim of the fragment, or of the block, along it.
program::Access box_access(const Draft& draft, const tile::Box& box, const std::vector<int>& dims, ProvedVector vector);

}  // namespace pallasgen
