#pragma once

#include "model/example.h"

namespace pallasgen {

// The loops around a statement, outermost first.
class LoopsAround {
 public:
  // A loop's variable and iterations. `at` points to the current value of the variable, which expressions read.
  struct Loop {
    int64_t* at;
    SymbolKind kind;  // axis, loop
    int axis;
    std::string variable;
    int64_t first, turns, step;
  };
  void enter(Loop loop) { loops_.push_back(std::move(loop)); }
  void leave() { loops_.pop_back(); }

  // Samples the iterations; returns the share of them in which the condition holds, 1 if it depends on data.
  double share_of(const TypedPtr& condition, const Example& example, const Example::Values& known) const;
  // Returns the product of the iterations of the loops whose next iteration leaves `place` unchanged.
  double repeats_of(const std::function<std::optional<int64_t>()>& place) const;

 private:
  std::vector<Loop> loops_;
};

}  // namespace pallasgen
