#pragma once

#include "check/inside.h"
#include "proofs/access.h"

namespace pallasgen {

// Where one element of a ref's block lies in its array.
struct ArrayPlace {
  std::vector<TypedPtr> index;  // one per dim of the array, in its elements
  std::vector<bool> may_leave;  // per dim: may lie below 0, or at or past the extent
  TypedPtr inside;              // bounded slices: holds before the slice's size; null: no such dim
};

// The element at `at`, one index expression per dim of the block as the body sees it (squeezed dims have none). The one
// function that knows padded element blocks (the index map counts from -lo) and bounded slices. `facts` may know more
// than the draft's: the variables of the loops around the access. Coordinates of a block lie inside the block; those of
// a view (`space: gmem`) may lie anywhere.
ArrayPlace array_place(const Draft& draft, int ref, const std::vector<TypedPtr>& at, const SymbolFacts& facts);

// Whether all of the ref's block is proved to lie inside its array along dim `d`, where it begins at `first`.
bool block_stays_inside(const Draft& draft, int ref, size_t d, const TypedPtr& first, const SymbolFacts& facts);

// Whether the element is inside the array and its slice: what valid(ref) says, what a store must ask. Null: always.
// `facts` as in array_place.
TypedPtr inside_condition(const Draft& draft, int ref, const ArrayPlace& element, const SymbolFacts& facts);

// Of conditions of which each may be null: one that always holds for both(), one that never does for either().
TypedPtr both(TypedPtr a, TypedPtr b);
TypedPtr either(TypedPtr a, TypedPtr b);

}  // namespace pallasgen
