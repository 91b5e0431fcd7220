#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elements/sources.h"
#include "proofs/block_access.h"

namespace pallasgen {

class ElementExpressions;

// The target of an index, for run-time checks: its extents, and the condition under which its elements are used. No
// extents: nothing to check.
struct IndexedRange {
  std::string name;
  std::vector<TypedPtr> extents;
  TypedPtr mask;       // null: always
  bool clips = false;  // an index past the end is no fault, as of a view
};

// Finds elements: the coordinates that indices select, checked at run time where the spec asks for it, and the places
// of elements in arrays. Reads elements from the homes of values and blocks, as scalar expressions.
class ElementPlaces {
 public:
  ElementPlaces(ElementWalk& walk, ElementSources& sources, ElementExpressions& expressions)
      : walk_(walk), draft_(walk.draft), sources_(sources), expressions_(expressions) {}

  // Returns an index expression without uses of values: integers that it reads become variables of the site.
  // hoisted_index() computes all of it into such a variable.
  TypedPtr index_of(const TypedPtr& expr, ElementSite& site);
  TypedPtr hoisted_index(const TypedPtr& expr, ElementSite& site);
  // Returns the coordinates that the items select for an element of the result.
  Coordinates indexed(const std::vector<IndexItem>& items, const Coordinates& at, ElementSite& site,
                      const IndexedRange& range);
  // Returns the range of a ref whose elements are used where `mask` (may be null) holds.
  IndexedRange range_of(int ref, TypedPtr mask) const;
  // Return the place in its array of an element of a box, or of a ref's block.
  ArrayPlace box_place(const tile::Box& box, const Coordinates& at, ElementSite& site);
  ArrayPlace place_of(int ref, const Coordinates& at, ElementSite& site);
  // Returns the element at `at` of `node`, all of which is in the source; the source is not inlined.
  TypedPtr element_of_source(const ElementSource& source, const TypedPtr& node, const Coordinates& at,
                             ElementSite& site);
  // Returns the element at `at` of a ref's block; `order`: that of the read, if the block is in memory.
  TypedPtr element_of_ref(int ref, const Coordinates& at, Span span, ElementSite& site,
                          std::optional<program::MemoryOrder> order = {});

 private:
  TypedPtr checked_index(const IndexedRange& range, size_t dim, const TypedPtr& coordinate, ElementSite& site);
  // Returns an element of a vector of indices, in a variable of the site if it is read.
  TypedPtr gathered_index(const TypedPtr& indices, const Coordinates& at, ElementSite& site);
  TypedPtr in_variable(const std::string& name, const TypedPtr& value, std::vector<program::Binding> bindings,
                       DType dtype, ElementSite& site);
  TypedPtr element_of_array(int ref, const ArrayPlace& place, Span span, ElementSite& site,
                            std::optional<program::MemoryOrder> order = {});
  TypedPtr element_of_slot(const ElementSource& source, const Coordinates& at, const TypedPtr& node, ElementSite& site);

  ElementWalk& walk_;
  Draft& draft_;
  ElementSources& sources_;
  ElementExpressions& expressions_;
};

}  // namespace pallasgen
