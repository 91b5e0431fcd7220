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

// The replacement of a leaf (LocalUse or RefRead): a binding with the name to print, or the value to write instead.
struct BoundLeaf {
  program::Binding binding;
  std::string name;
};
using Leaf = std::variant<BoundLeaf, TypedPtr>;

// Returns the replacement of a leaf, given for each of its dims the dim of the loop's block that it runs along (-1:
// none, it has one element). Null after a refusal.
using LeafBinder = std::function<std::optional<Leaf>(const TypedPtr& leaf, const std::vector<int>& dims)>;
// Returns the binding of the loop's coordinate along a dim of its block.
using CoordinateBinder = std::function<BoundLeaf(int dim)>;

// Returns the replacement of a reduction. Null after a refusal.
using ReductionBinder = std::function<std::optional<Leaf>(const TypedPtr& node)>;

struct ElementContext {
  Draft& draft;
  LeafBinder leaf;
  CoordinateBinder coordinate;
  ReductionBinder reduction = nullptr;  // null: there are none
  // Returns the condition that the element of a ref's block at `at` lies inside the array; null: `valid` is refused.
  std::function<TypedPtr(int ref, const std::vector<TypedPtr>& at)> inside = nullptr;
};

// Writes `value` for one element; dims[i] is the loop's dim that dim i of the value runs along, -1: none. Null after a
// refusal of an operation that is not elementwise.
std::optional<ElementValue> element_value(const TypedPtr& value, const std::vector<int>& dims, ElementContext& context);

}  // namespace pallasgen
