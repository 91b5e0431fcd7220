#pragma once

#include "elements/sources.h"

namespace pallasgen {

class ElementLoops;
class ElementPlaces;
class WholeValues;

// Writes one element of a value of the body as a scalar expression. Operands that take loops (reductions, products) are
// computed before it, at its site; operands that several elements use, before the current loops.
class ElementExpressions {
 public:
  ElementExpressions(ElementWalk& walk, ElementSources& sources, ElementPlaces& places, ElementLoops& loops,
                     WholeValues& whole)
      : walk_(walk), draft_(walk.draft), sources_(sources), places_(places), loops_(loops), whole_(whole) {}

  // Returns the element at `at` of `node`. Null after a refusal.
  TypedPtr element(const TypedPtr& node, const Coordinates& at, ElementSite& site);
  // Returns the element of an operand that broadcasts to `shape`, at `at` in the result.
  TypedPtr element_of(const TypedPtr& operand, const Shape& shape, const Coordinates& at, ElementSite& site);
  // Computes all of `node` before the current loops and returns its element.
  TypedPtr element_of_materialised(const TypedPtr& node, const Coordinates& at, ElementSite& site);

 private:
  TypedPtr element_of_operation(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr by_operands(const TypedPtr& node, const Coordinates& at, ElementSite& site);
  TypedPtr element_of_value(const TypedPtr& node, int value, const Coordinates& at, ElementSite& site);
  TypedPtr element_of_read(const TypedPtr& node, const RefRead& read, const Coordinates& at, ElementSite& site);
  TypedPtr choose_by_scalar(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr concatenation(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);

  ElementWalk& walk_;
  Draft& draft_;
  ElementSources& sources_;
  ElementPlaces& places_;
  ElementLoops& loops_;
  WholeValues& whole_;
};

}  // namespace pallasgen
