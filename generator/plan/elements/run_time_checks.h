#pragma once

#include <set>
#include <string>
#include <vector>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// The run-time checks of a role (`checks:` of the spec), as statements of its program, and which threads leave the
// kernel after a fault.
class RunTimeChecks {
 public:
  RunTimeChecks(Draft& draft, const tile::Program& program, const tile::Role& role);

  bool of_indices() const { return indices_; }
  bool of_nan() const { return nan_; }
  // True if threads that find a fault stay to the end of the kernel, because others wait for them.
  bool threads_stay() const { return stays_; }

  // The checks that follow are of copies that run so many steps ahead of the program; null: none.
  void set_steps_ahead(TypedPtr steps) { ahead_ = std::move(steps); }
  // Returns the statement that reports the fault, and leaves the kernel unless threads stay. `bindings`: of `violated`.
  program::Statement check(const std::string& fault, TypedPtr violated, std::vector<program::Binding> bindings);
  // Returns the condition that the coordinate lies below 0, or at or past `extent` (null: no end). Null: never.
  static TypedPtr outside(const TypedPtr& coordinate, const TypedPtr& extent, const SymbolFacts& facts);
  // Returns the condition; null if it is proved never to hold.
  static TypedPtr unless_disproved(const TypedPtr& condition, const SymbolFacts& facts);
  // Returns the condition that a box lies wholly outside its array along some dim, or exceeds its bound; null: never.
  // `first`, `limits`: of its dims, as they are to be printed; a limit may be null.
  TypedPtr outside(const tile::Box& box, const std::vector<TypedPtr>& first, const std::vector<TypedPtr>& limits,
                   const SymbolFacts& facts) const;

  // Makes threads that do not stay leave at the start of each iteration if another one has found a fault.
  void leave_on_fault(program::Statements& body) const;
  // True if a loop whose end depends on values must end after a fault: threads stay, and no grid barrier waits in it.
  bool ends_with_fault(const program::Statements& body) const;

  // To be called at the start and at the end of the loop over the steps of an axis.
  void enter(int axis);
  void leave(int axis);

 private:
  int stepping_axis() const;
  std::vector<TypedPtr> point() const;

  Draft& draft_;
  const Kernel& kernel_;
  bool indices_, nan_, stays_;
  std::set<int> inside_, behind_;  // axes: loops under way, loops that have ended
  TypedPtr ahead_;                 // steps that copies run ahead of the program; null: none
};

}  // namespace pallasgen
