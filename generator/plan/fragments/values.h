#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "program/draft.h"

namespace pallasgen {

// A value of the body as one scalar expression per element of a loop over a block.
struct ElementValue {
  TypedPtr value;  // LocalUse ids index `bindings`
  std::vector<program::Binding> bindings;
};

// What a leaf (LocalUse or RefRead) becomes: a binding with the name to print, or the value to write in its place.
struct BoundLeaf {
  program::Binding binding;
  std::string name;
};
using Leaf = std::variant<BoundLeaf, TypedPtr>;

// Asks what a leaf is, given for each of its dims the dim of the loop's block that it runs along (-1: none, its one
// element). Null when it refused.
using LeafBinder = std::function<std::optional<Leaf>(const TypedPtr& leaf, const std::vector<int>& dims)>;
// The binding of the loop's coordinate along a dim of its block.
using CoordinateBinder = std::function<BoundLeaf(int dim)>;

// What stands for a reduction, as it does for a leaf. Null when it refused.
using ReductionBinder = std::function<std::optional<Leaf>(const TypedPtr& node)>;

struct ElementContext {
  Draft& draft;
  LeafBinder leaf;
  CoordinateBinder coordinate;
  ReductionBinder reduction = nullptr;  // null: there are none
  // Whether the element of a ref's block at these coordinates, one per dim, lies inside the array; null: not asked.
  std::function<TypedPtr(int ref, const std::vector<TypedPtr>& at)> inside = nullptr;
};

// Writes `value` per element; dims[i] is the loop's dim that dim i of the value runs along, -1: none. Null with a
// refusal at the operation that is not elementwise.
std::optional<ElementValue> element_value(const TypedPtr& value, const std::vector<int>& dims, ElementContext& context);

// dims of a value of `shape` that broadcasts to a loop over `block`: trailing dims meet, size 1 runs along none.
std::vector<int> broadcast_dims(const Shape& shape, const Shape& block);

}  // namespace pallasgen
