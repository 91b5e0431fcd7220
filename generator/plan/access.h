#pragma once

#include "copy_proofs.h"
#include "draft.h"

namespace pallasgen {

// The most elements that one access to the ref may move at once, along a row of its block (copy_proofs.h).
ProvedVector proved_vector(const Draft& draft, int ref, const TypedPtr& last_offset, int64_t block_width);

// A block (or part of one) of a ref in global memory: `offsets` in the array, and for each dim of the array the dim of
// the fragment along it (-1: one element). `limits`: AccessDim::size by dim; may be empty.
program::Access block_access(const Draft& draft, int ref, std::vector<TypedPtr> offsets, const std::vector<int>& dims,
                             const std::vector<int64_t>& sizes, ProvedVector vector,
                             const std::vector<TypedPtr>& limits = {});

// The dims of the array that the block keeps, in order: squeezed ones have no dim in the block's shape.
std::vector<int> kept_dims(const Ref& ref);

// What a ref in global memory may be: refuses what no load or store of fragments does, by name.
bool check_direct_access(Draft& draft, int ref);

}  // namespace pallasgen
