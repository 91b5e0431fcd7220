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

  // Returns one element of a result, which loops before the site compute.
  TypedPtr reduction(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  // The same for a product, which starts from the element of `start` (null: 0) at `start_at`.
  TypedPtr dot(const TypedPtr& node, const Apply& apply, const Coordinates& at, const TypedPtr& start,
               const Coordinates& start_at, ElementSite& site);
  // Fills a tile with the elements of a value, in the body.
  void fill_tile(int field, const TypedPtr& value);
  // Fills a tile with running sums or maxima, in the body: one thread walks one line.
  void scan(const TypedPtr& node, const Apply& apply, int field);

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
  // `at`; the statements before the terms; and the result, after them, or from their total. `total`: the variable of
  // the total; -1: a new one.
  Reduction totals(const TypedPtr& node, const Apply& apply, int total = -1);
  void add_terms(Reduction& reduction, const TypedPtr& node, const Apply& apply, const Coordinates& at);
  static void start(const Reduction& reduction, const TypedPtr& node, const Apply& apply, program::Statements& out);
  TypedPtr result_of(const Reduction& reduction, const TypedPtr& node, const Apply& apply, ElementSite& site) const;
  static TypedPtr result_of_total(const Reduction& reduction, const TypedPtr& node, const Apply& apply, TypedPtr total);

 private:
  void add_candidate(Reduction& reduction, const TypedPtr& node, const Apply& apply, const TypedPtr& value,
                     std::vector<program::Binding> bindings);

  ElementWalk& walk_;
  Draft& draft_;
  const ElementSources& sources_;
  ElementExpressions& expressions_;
};

// Reductions of many terms into few results, with one warp for each result, or several for an only one; and scans of
// long lines. Their statements go to the body.
class ElementWarps {
 public:
  ElementWarps(ElementWalk& walk, ElementSources& sources, ElementExpressions& expressions, ElementLoops& loops)
      : walk_(walk), draft_(walk.draft), sources_(sources), expressions_(expressions), loops_(loops) {}

  // Computes several results into a tile (a field of Plan::shared) that is named `name`.
  void reduce(const TypedPtr& node, const std::string& name, int field);
  // Computes an only result into the variable of a value that is a number and is named `name`.
  void reduce_to_number(const TypedPtr& node, const std::string& name, tile::ValueId value);
  // Fills a tile with running sums or maxima: a warp walks a line, 32 elements at a time.
  void scan(const TypedPtr& node, const Apply& apply, int field);

 private:
  // How many warps share the terms of a result, and whether the totals of all their lanes are combined in one tile.
  struct Shared {
    int64_t warps = 1;
    bool in_tile = false;
    int field = -1;  // of the results, or of what warps or lanes have combined
  };
  Shared reduce_terms(const TypedPtr& node, const std::string& name, int field);
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
