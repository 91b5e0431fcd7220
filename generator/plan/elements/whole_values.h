#pragma once

#include "elements/sources.h"

namespace pallasgen {

class ElementExpressions;
class ElementLoops;
class ElementWarps;

// Fills tiles with values all of whose elements are computed at once, by statements in the body.
class WholeValues {
 public:
  WholeValues(ElementWalk& walk, ElementSources& sources, ElementExpressions& expressions, ElementLoops& loops,
              ElementWarps& warps)
      : walk_(walk), draft_(walk.draft), sources_(sources), expressions_(expressions), loops_(loops), warps_(warps) {}

  // Fills a tile with the value in a loop over its elements.
  void fill_tile(int field, const TypedPtr& value);
  // Fills a tile with running sums or maxima.
  void scan(const TypedPtr& node, const Apply& apply, int field);

 private:
  ElementWalk& walk_;
  Draft& draft_;
  ElementSources& sources_;
  ElementExpressions& expressions_;
  ElementLoops& loops_;
  ElementWarps& warps_;
};

// True if an iteration of a loop over elements may read what the store in `body` writes in another iteration.
bool reads_elsewhere(const Kernel& kernel, const program::Statements& body);

}  // namespace pallasgen
