#pragma once

#include "check/inside.h"
#include "proofs/access.h"

namespace pallasgen {

// The place of one element of a ref's block in its array.
struct ArrayPlace {
  std::vector<TypedPtr> index;  // one per dim of the array, in its elements
  std::vector<bool> may_leave;  // per dim: true if the index may be below 0, or at or past the extent
  TypedPtr inside;              // bounded slices: true below the slice's size; null: no such dim
};

// Returns the place of the element at `at`, one index expression per dim of the block as the body sees it (squeezed
// dims have none). Handles padded element blocks (the index map counts from -lo) and bounded slices. `facts` may have
// more than the draft's: the variables of the loops around the access. Coordinates of a block lie inside the block;
// those of a view (`space: gmem`) may lie anywhere.
ArrayPlace array_place(const Draft& draft, int ref, const std::vector<TypedPtr>& at, const SymbolFacts& facts);

// True if all of the ref's block, which begins at `first`, is proved to lie inside its array along dim `d`.
bool block_stays_inside(const Draft& draft, int ref, size_t d, const TypedPtr& first, const SymbolFacts& facts);

// Returns the condition that the element is inside the array and its slice, for valid(ref) and for stores. Null: always
// inside. `facts` as in array_place.
TypedPtr inside_condition(const Draft& draft, int ref, const ArrayPlace& element, const SymbolFacts& facts);

// Conjunction and disjunction; a null condition is ignored, and the result is null if both are.
TypedPtr both(TypedPtr a, TypedPtr b);
TypedPtr either(TypedPtr a, TypedPtr b);

}  // namespace pallasgen
