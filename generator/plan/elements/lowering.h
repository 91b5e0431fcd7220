#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "elements/expressions.h"
#include "elements/loops.h"
#include "elements/places.h"
#include "elements/stores.h"
#include "elements/whole_values.h"

namespace pallasgen {

// The statements of a role whose results are computed one element per thread and turn: values in tiles of shared
// memory, numbers in variables of all threads. Which they are is said by the homes of the values (plan/homes/homes.h).
// Holds the classes that lower the parts of a statement.
class ElementLowering {
 public:
  // `declared`: the values that have a variable where the statement under way stands.
  ElementLowering(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
                  std::set<int>& declared);

  // While it lives, statements of all threads go to `out`, which is the body of a loop, of a branch or of the role:
  // names that are taken there are free behind it.
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
    size_t depth_;
    NameScope scope_;
  };

  // Before anything else of a statement: what faults say of it.
  void begin_statement(const tile::Statement& statement) { walk_.statement_text = statement.origin; }
  // Lowers a statement of which goes_by_elements() holds, and which `next` (may be null) follows. False after a
  // refusal.
  bool lower(const tile::Statement& statement, const tile::Statement* next);
  // A condition, a bound of a loop, computed before where that takes statements. Null after a refusal.
  TypedPtr condition(const TypedPtr& expr, const std::string& name, std::vector<program::Binding>& bindings);
  TypedPtr bound_of(const TypedPtr& bound, const std::string& name, std::vector<program::Binding>& bindings);
  // Statements that a condition takes in each turn of a loop go to `before`.
  TypedPtr condition_in(program::Statements& before, const TypedPtr& expr, std::vector<program::Binding>& bindings);
  // A variable of its own that all threads hold, declared here with this value.
  int add_variable(const std::string& name, DType dtype, TypedPtr value);
  // The values of the loop's variable, for what is known of indices inside.
  void enter_loop(const tile::For& loop);
  void leave_loop(const tile::For& loop);
  // The same of a variable of the program that counts the turns from 0.
  void enter_turns(const std::string& variable, int64_t turns) { walk_.extents[variable] = turns; }
  void leave_turns(const std::string& variable) { walk_.extents.erase(variable); }
  // Under run-time checks: what a loop does after a fault whose end depends on values.
  void end_after_fault(program::WhileLoop& loop);
  // The value is an entry's member, in the current slot of the ring.
  void hold_in_ring(tile::ValueId value, int ring, int member);
  // Makes what the value is kept in: its tile, or its variable where nothing has declared it.
  void declare(tile::ValueId value);
  // The tile of a value in shared memory.
  int tile_of(tile::ValueId value) { return sources_.tile_of(value); }
  ElementBoxes& boxes() { return boxes_; }
  RunTimeChecks& run_time_checks() { return walk_.checks; }

 private:
  program::Statement poll_fault();
  bool assign(tile::ValueId value, const TypedPtr& expr, const std::string& origin, const tile::Statement* next);
  bool fill(tile::ValueId value, const TypedPtr& expr);
  bool assign_number(tile::ValueId value, const TypedPtr& expr, const std::string& origin);
  bool print(const tile::Statement& statement, const PrintStmt& print);
  std::string printed_text(Span span, size_t argument) const;
  bool check(const AssertStmt& assertion);

  ElementWalk walk_;
  Draft& draft_;
  ElementSources sources_;
  // These refer to one another: values consist of values.
  ElementPlaces places_;
  ElementLoops loops_;
  ElementWarps warps_;
  WholeValues whole_;
  ElementExpressions expressions_;
  ElementStores stores_;
  ElementBoxes boxes_;
  int fault_seen_ = -1;  // tile of PollFault; -1: none yet
};

}  // namespace pallasgen
