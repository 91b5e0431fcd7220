#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elements/sources.h"
#include "proofs/block_access.h"

namespace pallasgen {

class ElementExpressions;

// What an index selects from, for run-time checks: how many elements it has along each dim, and where it is used at
// all. No extents: nothing to check.
struct IndexedRange {
  std::string name;
  std::vector<TypedPtr> extents;
  TypedPtr mask;       // null: always
  bool clips = false;  // what lies behind is past the end of the array, as of a view
};

// Where elements lie: the coordinates that indices select, checked at run time where the spec asks for it, and the
// places of elements in arrays; and reads of elements where values and blocks are kept, as scalar expressions.
class ElementPlaces {
 public:
  ElementPlaces(ElementWalk& walk, ElementSources& sources, ElementExpressions& expressions)
      : walk_(walk), draft_(walk.draft), sources_(sources), expressions_(expressions) {}

  // An index expression without uses of named values: integers that are read become variables of the site; or all of it
  // in such a variable. Null after a refusal.
  TypedPtr index_of(const TypedPtr& expr, ElementSite& site);
  TypedPtr hoisted_index(const TypedPtr& expr, ElementSite& site);
  // Coordinates in what is indexed, for an element of the result; null after a refusal.
  std::optional<Coordinates> indexed(const std::vector<IndexItem>& items, const Coordinates& at, ElementSite& site,
                                     const IndexedRange& range);
  // That of a ref, whose elements are used where `mask` (may be null) holds.
  IndexedRange range_of(int ref, TypedPtr mask) const;
  // Where an element of a box lies in its array; of a place of which all stores go to memory, of its block.
  ArrayPlace box_place(const tile::Box& box, const Coordinates& at, ElementSite& site);
  ArrayPlace place_of(int ref, const Coordinates& at, ElementSite& site);
  // The element at `at` of `node`, all of which is in the source, which is not inlined.
  TypedPtr of_source(const ElementSource& source, const TypedPtr& node, const Coordinates& at, ElementSite& site);
  // The element at `at` of a ref's block; of one in memory, read in this order.
  TypedPtr of_ref(int ref, const Coordinates& at, Span span, ElementSite& site,
                  std::optional<program::MemoryOrder> order = {});

 private:
  TypedPtr checked_index(const IndexedRange& range, size_t dim, const TypedPtr& coordinate, ElementSite& site);
  // The element of a vector of indices as an index, in a variable of the site where it is read; null after a refusal.
  TypedPtr gathered_index(const TypedPtr& indices, const Coordinates& at, ElementSite& site);
  TypedPtr in_variable(const std::string& name, const TypedPtr& value, std::vector<program::Binding> bindings,
                       DType dtype, ElementSite& site);
  TypedPtr of_array(int ref, const ArrayPlace& place, Span span, ElementSite& site,
                    std::optional<program::MemoryOrder> order = {});
  TypedPtr of_slot(const ElementSource& source, const Coordinates& at, const TypedPtr& node, ElementSite& site);

  ElementWalk& walk_;
  Draft& draft_;
  ElementSources& sources_;
  ElementExpressions& expressions_;
};

}  // namespace pallasgen
