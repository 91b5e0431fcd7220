// Lowers the loops of a role.

#include <algorithm>
#include <utility>

#include "driver/lowering.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "questions/first_turns.h"
#include "questions/steps_fill.h"
#include "questions/tile_body.h"

namespace pallasgen {

namespace planning {

void Lowering::loop_while(const tile::While& loop, Statements& out) {
  for (ValueId value : loop.carry) begin(value, out);
  program::WhileLoop turns{};
  Statements before;
  const std::set<int> outside = declared_;
  {
    const ElementLowering::Body body(elements_, before);
    if (!loop.test.empty()) elements_.leave_out_heading(loop.test.front().origin);
    for (const Statement& statement : loop.test) lower(statement, before);
    turns.condition = elements_.condition(loop.condition, "condition", turns.bindings);
  }
  declared_ = outside;
  if (before.empty()) {
    turns.body = run(loop.body);
    elements_.end_after_fault(turns);
    out.push_back({"", false, std::move(turns)});
    return;
  }
  // A condition that needs statements is evaluated in the loop, and the rest of the iteration depends on it.
  const int holds = elements_.add_variable("goes_on", DType::boolean, typed_constant(DType::boolean, true));
  before.push_back(set_scalar(holds, turns.condition, std::exchange(turns.bindings, {}), false, false));
  ElementSite test{out, turns.bindings};
  turns.condition = bind_scalar(draft_.plan, holds, loop.condition->span, test);
  program::If goes_on{turns.condition, run(loop.body), {}, turns.bindings};
  turns.body = std::move(before);
  if (!goes_on.then.empty()) turns.body.push_back({"", false, std::move(goes_on)});
  elements_.end_after_fault(turns);
  out.push_back({"", false, std::move(turns)});
}

void Lowering::count(const For& loop, Statements& out) {
  program::ForRange range{};
  range.variable = draft_.names().of(loop.variable.name);
  range.start = elements_.bound_of(loop.first, range.variable, range.bindings);
  range.stop = elements_.bound_of(loop.last, range.variable, range.bindings);
  range.step = elements_.bound_of(loop.step, range.variable, range.bindings);
  if (loop.unroll) range.unroll = static_cast<int>(*loop.unroll);
  elements_.enter_loop(loop);
  range.body = run(loop.body);
  elements_.leave_loop(loop);
  elements_.run_time_checks().leave_on_fault(range.body);
  out.push_back({"", false, std::move(range)});
}

void Lowering::loop_over(const For& loop, Statements& out) {
  for (ValueId value : loop.carry) begin(value, out);
  if (are_first_turns(loop)) {
    const Number turns = channels_.copied().most_copies_ahead();
    in_first_turns_ = true;
    elements_.enter_turns(loop.variable.name, turns.value);
    program::ForRange node{loop.variable.name, loop.first, to_index(turns), loop.step, run(loop.body)};
    elements_.leave_turns(loop.variable.name);
    in_first_turns_ = false;
    out.push_back({channels_.copied().comment_of_first_turns(), false, std::move(node)});
    return;
  }
  if (loop.variable.kind != SymbolKind::axis) return count(loop, out);
  const std::optional<std::string> around = std::exchange(in_step_, loop.variable.name);
  program::ForSteps steps{loop.variable.id, advancing(loop.body), {}};
  elements_.run_time_checks().enter(loop.variable.id);
  steps.body = run(loop.body);
  elements_.run_time_checks().leave(loop.variable.id);
  elements_.run_time_checks().leave_on_fault(steps.body);
  if (constant_value(loop.first) != 0) steps.first = values_.with_indices(loop.first);
  const Symbol* last = loop.last->as<Symbol>();
  if (!last || last->kind != SymbolKind::axis_size) steps.last = values_.with_indices(loop.last);
  out.push_back({"", false, std::move(steps)});
  in_step_ = around;
}

}  // namespace planning

}  // namespace pallasgen
