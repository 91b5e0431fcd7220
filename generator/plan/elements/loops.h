#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elements/sources.h"

namespace pallasgen {

class ElementExpressions;

// Elements that take a loop of their own: reductions, positions, products of matrices, running sums.
class ElementLoops {
 public:
  ElementLoops(ElementWalk& walk, const ElementSources& sources, ElementExpressions& expressions)
      : walk_(walk), draft_(walk.draft), sources_(sources), expressions_(expressions) {}

  // Returns one element of a result, which loops before the site compute. Null after a refusal.
  TypedPtr reduction(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  // The same for a product, which starts from the element of `start` (null: 0) at `start_at`.
  TypedPtr dot(const TypedPtr& node, const Apply& apply, const Coordinates& at, const TypedPtr& start,
               const Coordinates& start_at, ElementSite& site);
  // Fills a tile with running sums or maxima, in the body: one thread walks one line. False after a refusal.
  bool scan(const TypedPtr& node, const Apply& apply, int field);

  // A reduction that is being written: its variables, the place of its terms, and the statements for one term.
  struct Reduction {
    DType dtype = DType::f32;       // in which elements are combined
    int total = -1, position = -1;  // scalars; for argmax and argmin both, the best value and its place
    Coordinates inner = {};         // the place of a term in the operand
    std::vector<size_t> dims = {};  // of the operand: those with a loop over the terms
    int64_t length = 1;             // the number of terms of a result
    program::Statements term = {};
  };
  // The steps of a reduction, for callers that order the terms otherwise: its variables; the terms of the result at
  // `at` (false after a refusal); the statements before the terms; and the result, after them.
  Reduction totals(const TypedPtr& node, const Apply& apply);
  bool add_terms(Reduction& reduction, const TypedPtr& node, const Apply& apply, const Coordinates& at, int64_t turns);
  static void start(const Reduction& reduction, const TypedPtr& node, const Apply& apply, program::Statements& out);
  TypedPtr result_of(const Reduction& reduction, const TypedPtr& node, const Apply& apply, ElementSite& site) const;

 private:
  void add_candidate(Reduction& reduction, const TypedPtr& node, const Apply& apply, const TypedPtr& value,
                     std::vector<program::Binding> bindings);

  ElementWalk& walk_;
  Draft& draft_;
  const ElementSources& sources_;
  ElementExpressions& expressions_;
};

// True if a warp computes each result of a reduction, or walks each line of a scan, with the terms dealt to its lanes.
// This depends on shapes and on `checks:` alone.
bool takes_warps(const Kernel& kernel, const TypedPtr& node);

// Reductions of many terms into few results, with one warp for each result, or several for an only one; and scans of
// long lines. Their statements go to the body.
class ElementWarps {
 public:
  ElementWarps(ElementWalk& walk, ElementSources& sources, ElementExpressions& expressions, ElementLoops& loops)
      : walk_(walk), draft_(walk.draft), sources_(sources), expressions_(expressions), loops_(loops) {}

  // Computes the results into a new tile of this name, an only one into a variable of each thread. Null after a
  // refusal.
  std::optional<ElementSource> reduce(const TypedPtr& node, const std::string& name);
  // Fills a tile with running sums or maxima: a warp walks a line, 32 elements at a time. False after a refusal.
  bool scan(const TypedPtr& node, const Apply& apply, int field);

 private:
  ElementSource scalar_of_parts(const TypedPtr& node, const std::string& name, int field, int64_t parts);
  ElementSource scalar_of_tile(const TypedPtr& node, const std::string& name, int field);
  ElementSource scalar_of(const ElementLoops::Reduction& whole, const TypedPtr& node, const std::string& name);
  program::Statement combine_lanes(const ElementLoops::Reduction& reduction, Op op, program::ReduceStrategy strategy);
  int tile_of_lanes(const std::string& name, DType dtype);

  ElementWalk& walk_;
  Draft& draft_;
  ElementSources& sources_;
  ElementExpressions& expressions_;
  ElementLoops& loops_;
  std::map<std::pair<std::string, DType>, int> tiles_of_lanes_;  // fields
};

}  // namespace pallasgen
