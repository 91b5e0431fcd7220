#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "elements/expressions.h"
#include "elements/loops.h"
#include "elements/places.h"
#include "elements/stores.h"

namespace pallasgen {

// Lowers the statements of a role whose results are computed one element per thread and iteration: values in tiles of
// shared memory, numbers in variables of all threads. The homes of the values decide which statements these are
// (plan/homes/homes.h). Holds the classes that lower the parts of a statement.
class ElementLowering {
 public:
  // `declared`: the values that have a variable at the current statement.
  ElementLowering(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
                  std::set<int>& declared);

  // While it lives, statements of all threads go to `out`, which is the body of a loop, of a branch or of the role;
  // names that are taken there are free afterwards.
  class Body {
   public:
    Body(ElementLowering& lowering, program::Statements& out);
    ~Body();
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

   private:
    ElementLowering& lowering_;
    program::Statements* outer_;
    ElementSources::Locals locals_;
    std::vector<tile::Box> checked_;
    NameScope scope_;
  };

  // To be called first for each statement: faults quote its text.
  void begin_statement(const tile::Statement& statement) {
    if (!statement.origin.empty() && statement.origin != walk_.quoted) walk_.quoted.clear();
    walk_.statement_text = statement.origin;
  }
  // The statements that follow with this text of the spec have no heading.
  void leave_out_heading(const std::string& text) { walk_.quoted = text; }
  // Lowers a statement for which goes_by_elements() is true.
  void lower(const tile::Statement& statement);
  // Returns a condition, or a bound of a loop; statements that it takes go to the body.
  TypedPtr condition(const TypedPtr& expr, const std::string& name, std::vector<program::Binding>& bindings);
  TypedPtr bound_of(const TypedPtr& bound, const std::string& name, std::vector<program::Binding>& bindings);
  // Declares a new variable of all threads with this value and returns its index in Plan::scalars.
  int add_variable(const std::string& name, DType dtype, TypedPtr value);
  // Notes the bounds of the loop's variable, for proofs about indices in the loop.
  void enter_loop(const tile::For& loop);
  void leave_loop(const tile::For& loop);
  // The same for a variable of the program that counts iterations from 0.
  void enter_turns(const std::string& variable, int64_t turns) { walk_.extents[variable] = turns; }
  void leave_turns(const std::string& variable) { walk_.extents.erase(variable); }
  // Under run-time checks, makes a loop whose end depends on values end after a fault.
  void end_after_fault(program::WhileLoop& loop);
  // Notes that the value is a member of the entry in the ring's current slot.
  void hold_in_ring(tile::ValueId value, int ring, int member);
  // Adds the tile of the value, or declares its variable if nothing has.
  void declare(tile::ValueId value);
  // Returns the tile of a value in shared memory.
  int tile_of(tile::ValueId value) { return sources_.tile_of(value); }
  ElementBoxes& boxes() { return boxes_; }
  RunTimeChecks& run_time_checks() { return walk_.checks; }

 private:
  program::Statement poll_fault();
  void assign(tile::ValueId value, const TypedPtr& expr, const std::string& origin);
  void fill(tile::ValueId value, const TypedPtr& expr);
  void assign_number(tile::ValueId value, const TypedPtr& expr);
  void print(const tile::Statement& statement, const PrintStmt& print);
  std::string printed_text(Span span, size_t argument) const;
  void check(const AssertStmt& assertion);

  ElementWalk walk_;
  Draft& draft_;
  ElementSources sources_;
  // These refer to one another: values consist of values.
  ElementPlaces places_;
  ElementLoops loops_;
  ElementWarps warps_;
  ElementExpressions expressions_;
  ElementStores stores_;
  ElementBoxes boxes_;
  int fault_seen_ = -1;  // tile of PollFault; -1: none yet
};

}  // namespace pallasgen
