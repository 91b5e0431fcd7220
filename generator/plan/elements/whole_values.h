#pragma once

#include <map>
#include <optional>
#include <string>

#include "elements/sources.h"

namespace pallasgen {

class ElementExpressions;
class ElementLoops;
class ElementWarps;

// Values all of whose elements are computed at once: in tiles (a value without dims: in a variable of all threads), by
// statements in the body.
class WholeValues {
 public:
  WholeValues(ElementWalk& walk, ElementSources& sources, ElementExpressions& expressions, ElementLoops& loops,
              ElementWarps& warps)
      : walk_(walk), draft_(walk.draft), sources_(sources), expressions_(expressions), loops_(loops), warps_(warps) {}

  // A loop over all elements of a tile with the value; through a second tile where it reads the first elsewhere. False
  // after a refusal, as below.
  bool fill_tile(int field, const TypedPtr& value);
  // A tile of running sums or maxima.
  bool scan(const TypedPtr& node, const Apply& apply, int field);
  // The node's value, computed before the loops under way. Null after a refusal.
  std::optional<ElementSource> materialise(const TypedPtr& node, std::string name = {});
  // The same of a load with an order, which takes place once for each element, a scalar's in one thread for all.
  std::optional<ElementSource> load_once(const TypedPtr& node);
  // Whether it is this load that load_once() writes.
  bool is_loading(const TypedPtr& node) const { return loading_ == node.get(); }

  // Where a node is that the statement under way has computed so (null: nowhere), until it ends.
  const ElementSource* known(const TypedPtr& node) const;
  void forget() { computed_.clear(); }

 private:
  std::string wanted_name(const TypedPtr& node) const;

  ElementWalk& walk_;
  Draft& draft_;
  ElementSources& sources_;
  ElementExpressions& expressions_;
  ElementLoops& loops_;
  ElementWarps& warps_;
  std::map<const Typed*, ElementSource> computed_;
  const Typed* loading_ = nullptr;
};

// Whether a turn of a loop over elements, whose body ends with a store, reads what the store writes in another turn.
bool reads_elsewhere(const Kernel& kernel, const program::Statements& body);

}  // namespace pallasgen
