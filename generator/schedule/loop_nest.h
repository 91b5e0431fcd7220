#pragma once

#include <optional>
#include <set>

#include "tile/program.h"

namespace pallasgen::schedule {

// The loops over the steps of a kernel: how many are needed around a statement, and whether there is a step at all.
class LoopNest {
 public:
  LoopNest(const Kernel& kernel, const tile::Program& program);

  size_t depth() const { return depth_; }  // loops
  // The axis of the loop with `depth` loops around it.
  int axis_at(size_t depth) const { return static_cast<int>(parallel_ + depth); }
  // How many of the loops must be around an expression of these axes, or around a box.
  size_t depth_of(const std::set<int>& axes) const;
  size_t depth_of(const tile::Box& box) const;
  // True if no loop's size depends on the step of another.
  bool sizes_are_independent() const;
  // The condition that there is no step, if sizes are independent; null: there is always one.
  TypedPtr no_step() const;
  // The condition that the loops with at least `depth` loops around them have a step; null: they always do. Nothing if
  // the size of one of them depends on the step of another one of them.
  std::optional<TypedPtr> turns(size_t depth) const;
  // The condition that the box, in the loop at `depth`, is another than in the next (or previous) step, or that there
  // is no such step; null: it always differs.
  TypedPtr moves(const tile::Box& box, size_t depth, bool to_next) const;
  // The statements as the first or last step of all loops runs them.
  tile::Block at_step(tile::Block block, GuardKind kind) const;
  // The statements as the first or last step of the innermost loop runs them, where it has one.
  tile::Block at_inner_step(tile::Block block, GuardKind kind) const;

 private:
  const Kernel& kernel_;
  const tile::Program& program_;
  size_t parallel_, depth_;
};

}  // namespace pallasgen::schedule
