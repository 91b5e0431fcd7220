#pragma once

#include <map>
#include <optional>
#include <string>

#include "elements/sources.h"

namespace pallasgen {

class ElementExpressions;
class ElementLoops;
class ElementWarps;

// Values all of whose elements are computed at once, by statements in the body: into tiles, or, of a value without
// dims, into a variable of all threads.
class WholeValues {
 public:
  WholeValues(ElementWalk& walk, ElementSources& sources, ElementExpressions& expressions, ElementLoops& loops,
              ElementWarps& warps)
      : walk_(walk), draft_(walk.draft), sources_(sources), expressions_(expressions), loops_(loops), warps_(warps) {}

  // Fills a tile with the value in a loop over its elements; through a second tile if the loop reads the first one at
  // other elements. False after a refusal, as below.
  bool fill_tile(int field, const TypedPtr& value);
  // Fills a tile with running sums or maxima.
  bool scan(const TypedPtr& node, const Apply& apply, int field);
  // Computes the node's value before the current loops. Null after a refusal.
  std::optional<ElementSource> materialise(const TypedPtr& node, std::string name = {});
  // The same for a load with an order: one thread loads each element once, or a scalar, for all threads.
  std::optional<ElementSource> load_once(const TypedPtr& node);
  // True if load_once() is writing this load.
  bool is_loading(const TypedPtr& node) const { return loading_ == node.get(); }

  // The source of a node that the current statement has computed so; null if it has not.
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

// True if an iteration of a loop over elements may read what the store in `body` writes in another iteration.
bool reads_elsewhere(const Kernel& kernel, const program::Statements& body);

}  // namespace pallasgen
