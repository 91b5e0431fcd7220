#pragma once

#include <array>
#include <functional>

#include "elements/sources.h"

namespace pallasgen {

class ElementLoops;
class ElementPlaces;

// Writes one element of a value of the body as a scalar expression. Operands that take loops (reductions, products) are
// computed before it, at its site.
class ElementExpressions {
 public:
  ElementExpressions(ElementWalk& walk, ElementSources& sources, ElementPlaces& places, ElementLoops& loops)
      : walk_(walk), draft_(walk.draft), sources_(sources), places_(places), loops_(loops) {}

  // Returns the element at `at` of `node`.
  TypedPtr element(const TypedPtr& node, const Coordinates& at, ElementSite& site);
  // Returns the element of an operand that broadcasts to `shape`, at `at` in the result.
  TypedPtr element_of(const TypedPtr& operand, const Shape& shape, const Coordinates& at, ElementSite& site);

 private:
  TypedPtr element_of_operation(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr by_operands(const TypedPtr& node, const Coordinates& at, ElementSite& site);
  TypedPtr element_of_value(const TypedPtr& node, int value, const Coordinates& at, ElementSite& site);
  TypedPtr element_of_read(const TypedPtr& node, const RefRead& read, const Coordinates& at, ElementSite& site);
  using Arm = std::function<TypedPtr(ElementSite& site)>;
  TypedPtr choose(const TypedPtr& node, const TypedPtr& condition, const std::array<Arm, 2>& arms, Op op,
                  ElementSite& site);
  TypedPtr choose_by_scalar(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr concatenation(const TypedPtr& node, const Apply& apply, const Coordinates& at, size_t from, int64_t first,
                         ElementSite& site);

  ElementWalk& walk_;
  Draft& draft_;
  ElementSources& sources_;
  ElementPlaces& places_;
  ElementLoops& loops_;
};

}  // namespace pallasgen
