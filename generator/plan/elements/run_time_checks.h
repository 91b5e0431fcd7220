#pragma once

#include <set>
#include <string>
#include <vector>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// The run-time checks of a role (`checks:` of the spec): what is violated where, as statements of its program, and who
// leaves the kernel after a fault.
class RunTimeChecks {
 public:
  RunTimeChecks(Draft& draft, const tile::Program& program, const tile::Role& role);

  bool of_indices() const { return indices_; }
  bool of_nan() const { return nan_; }
  // Whether other threads wait for those that find a fault: they stay to the end of the kernel.
  bool threads_stay() const { return stays_; }

  // The checks that follow are of copies for a step so many behind that of the program; null: for that one.
  void set_steps_ahead(TypedPtr steps) { ahead_ = std::move(steps); }
  // The statement that reports the fault, and leaves the kernel unless threads stay. `bindings`: what `violated` reads.
  program::Statement check(const std::string& fault, TypedPtr violated, std::vector<program::Binding> bindings);
  // Holds where the coordinate lies below 0, or at or past `extent` (null: it has no end). Null: nowhere.
  static TypedPtr outside(const TypedPtr& coordinate, const TypedPtr& extent, const SymbolFacts& facts);
  // The condition; null where it never holds.
  static TypedPtr possible(const TypedPtr& condition, const SymbolFacts& facts);
  // Holds where a box lies wholly outside its array along some dim, or is longer than its bound. `first`, `limits`: of
  // its dims, as they are to be printed; a limit may be null. Null: nowhere.
  TypedPtr outside(const tile::Box& box, const std::vector<TypedPtr>& first, const std::vector<TypedPtr>& limits,
                   const SymbolFacts& facts) const;

  // At the head of what runs again: another thread may have found a fault.
  void leave_on_fault(program::Statements& body) const;
  // Whether a loop whose end depends on values must end with the first fault: threads stay, and no others do.
  bool ends_with_fault(const program::Statements& body) const;

  // The steps along the axis: what is between the two calls is inside its loop, what is behind them behind it.
  void enter(int axis);
  void leave(int axis);

 private:
  int stepping_axis() const;
  std::vector<TypedPtr> point() const;

  Draft& draft_;
  const Kernel& kernel_;
  bool indices_, nan_, stays_;
  std::set<int> inside_, behind_;  // loops over axes
  TypedPtr ahead_;                 // steps from the one that the program stands at; null: none
};

}  // namespace pallasgen
