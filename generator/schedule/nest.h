#pragma once

#include <optional>
#include <set>

#include "tile/program.h"

namespace pallasgen::schedule {

// The loops over the steps of a kernel: how deep something stands in them, and whether there is a step at all.
class Nest {
 public:
  Nest(const Kernel& kernel, const tile::Program& program);

  size_t depth() const { return depth_; }  // loops
  // The axis of the loop that stands in `depth` others.
  int axis_at(size_t depth) const { return static_cast<int>(parallel_ + depth); }
  // How many of the loops stand around what mentions these axes, or around a box.
  size_t depth_of(const std::set<int>& axes) const;
  size_t depth_of(const tile::Box& box) const;
  // Whether no loop's size changes with the step of another.
  bool sizes_are_independent() const;
  // The condition under which there is none, where sizes are independent.
  TypedPtr no_step() const;
  // The condition under which the loops that stand in `depth` others have a step, null: they always do. None where the
  // size of one of them changes with the step of another.
  std::optional<TypedPtr> turns(size_t depth) const;
  // Whether the block that a box in the loop at `depth` is differs from that of the step behind (or before) it; null:
  // it always does.
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
