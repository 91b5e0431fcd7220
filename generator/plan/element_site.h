#pragma once

#include <vector>

#include "draft.h"

namespace pallasgen {

// One index expression per dim of a value: where its element is.
using Coordinates = std::vector<TypedPtr>;

// Where a scalar expression is being written.
struct ElementSite {
  program::Statements& before;              // what computes scalars that it uses, in the same loop body
  std::vector<program::Binding>& bindings;  // what its LocalUse ids index
  int64_t turns = 1;                        // how often it is evaluated in one pass over the loops around it
  TypedPtr outside = nullptr;               // holds where a check of an index has found it outside; null: none has
};

int64_t elements_of(const Shape& shape);
// A value without dims that has a tile of its own is that tile's one element.
Coordinates in_tile(const Coordinates& at);
// Of loads, stores and atomics that have one.
program::MemoryOrder order_of(pallasgen::MemoryOrder order);

}  // namespace pallasgen
