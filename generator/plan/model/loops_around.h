#pragma once

#include "model/example.h"

namespace pallasgen {

// The loops around a statement, outermost first, for what guards inside them hold.
class LoopsAround {
 public:
  // What a loop counts, and its turns. `at`: what it counts just now, of which expressions are made.
  struct Loop {
    int64_t* at;
    SymbolKind kind;  // axis, loop
    int axis;
    std::string variable;
    int64_t first, turns, step;
  };
  void enter(Loop loop) { loops_.push_back(std::move(loop)); }
  void leave() { loops_.pop_back(); }

  // How often of all their turns the condition holds, by samples; 1 where data decide.
  double share_of(const TypedPtr& condition, const Example& example, const Example::Values& known) const;
  // The turns of those loops in which `place` stays what it is from one turn to the next.
  double repeats_of(const std::function<std::optional<int64_t>()>& place) const;

 private:
  std::vector<Loop> loops_;
};

}  // namespace pallasgen
