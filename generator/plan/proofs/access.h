#pragma once

#include "program/draft.h"
#include "proofs/copy_proofs.h"

namespace pallasgen {

// Returns the most elements that one access to the ref may move, along a row of its block (copy_proofs.h).
ProvedVector proved_vector(const Draft& draft, int ref, const TypedPtr& last_offset, int64_t block_width);

// Returns the access to a block (or part of one) of a ref in global memory: `offsets` in the array, and for each dim of
// the array the dim of the fragment along it (-1: one element). `limits`: AccessDim::size by dim; may be empty.
program::Access block_access(const Draft& draft, int ref, std::vector<TypedPtr> offsets, const std::vector<int>& dims,
                             const std::vector<int64_t>& sizes, ProvedVector vector,
                             const std::vector<TypedPtr>& limits = {});

// Returns the atomic operation for an output's `reduce: add`, `min` or `max`.
program::AtomicKind kind_of_update(const std::string& reduce);

}  // namespace pallasgen
