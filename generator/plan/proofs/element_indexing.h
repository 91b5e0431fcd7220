#pragma once

#include <functional>

#include "expression/index_map.h"
#include "proofs/element_site.h"

namespace pallasgen {

// The result of indexing by NumPy's rules: integer arrays are broadcast together, and their dims replace the first of
// them if they (and integers) are neighbours; otherwise their dims come first.
struct Selected {
  Shape shape;
  Shape arrays;      // the broadcast shape of the integer arrays
  size_t front = 0;  // place of its first dim in `shape`
};
Selected selected_by(const std::vector<IndexItem>& items);

// Gives the writer of an element what it takes of operands and of the element's place.
struct ElementOperands {
  // Returns the element of the operand that the map takes; null after a refusal.
  std::function<TypedPtr(const TypedPtr& operand, const IndexMap& map)> element;
  // Returns the index of the element along a dim of the result.
  std::function<TypedPtr(size_t dim)> index;
};

// Returns an element of a node as an expression of one element of each operand at most; null after a refusal. Nullopt
// for other nodes, such as names, reductions and gathers.
std::optional<TypedPtr> element_by_operands(const TypedPtr& node, const ElementOperands& operands);

// True if an element of the result may be computed from an element at another place of what `is_own` holds for.
bool takes_elsewhere(const TypedPtr& expr, const std::function<bool(const Typed&)>& is_own);

// True if the items are written in the same way.
bool equal_items(const std::vector<IndexItem>& a, const std::vector<IndexItem>& b);

}  // namespace pallasgen
