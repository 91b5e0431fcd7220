#include <fmt/format.h>

#include <algorithm>

#include "copies_ahead.h"
#include "program_walk.h"
#include "slabs.h"
#include "slot_copies.h"

namespace pallasgen {

namespace {

using namespace program;

void move_to(Statements& to, Statements from) {
  for (Statement& statement : from) to.push_back(std::move(statement));
}

TypedPtr less(const TypedPtr& a, const TypedPtr& b) {
  return make_typed({}, DType::boolean, {}, Apply{Op::less, {a, b}, {}});
}

// The statements that fill the rings.
class StepCopies {
 public:
  // `reads`: the statements that read the slots.
  StepCopies(const Draft& draft, const CopiesAhead& planned, const Statements& reads)
      : draft_(draft), kernel_(*draft.kernel), planned_(planned), now_(axis_symbol(kernel_, planned.axis)) {
    for_each_statement(reads, [&](const Statement& statement) {
      if (const auto* load = std::get_if<LoadShared>(&statement.node)) own_ = own_ && reads_own(*load);
    });
    for (const CopiesAhead::Ring& ring : planned.rings) {
      const RingPlan& plan = plan_of(ring);
      if (plan.ahead.value > most_.value) most_ = plan.ahead;
      if (rings.empty() || plan.ahead.value < least_.value) least_ = plan.ahead;
      one_slot_ = one_slot_ || plan.slots.value == 1;
      rings.push_back(ring.ring);
      const bool async = std::any_of(plan.operands.begin(), plan.operands.end(),
                                     [](const RingOperand& operand) { return operand.path == CopyPath::async; });
      if (async && (!any_async_ || plan.ahead.value < least_async_.value)) least_async_ = plan.ahead;
      any_async_ = any_async_ || async;
      for (const RingOperand& operand : plan.operands) {
        names_.push_back(draft.ref(operand.ref).name);
        if (plan.ahead.value > 0) ahead_names_.push_back(draft.ref(operand.ref).name);
      }
    }
  }

  // Before the loop: step i of them is a group.
  Statements first_steps() const {
    if (most_.value == 0) return {};
    const TypedPtr step = variable("ahead");
    Statements body;
    for (const CopiesAhead::Ring& ring : planned_.rings) {
      const Number& ahead = plan_of(ring).ahead;
      if (ahead.value == 0) continue;
      TypedPtr condition = less(step, axis_size_symbol(kernel_, planned_.axis));
      if (ahead.value < most_.value)
        condition =
            make_typed({}, DType::boolean, {}, Apply{Op::logical_and, {less(step, to_index(ahead)), condition}, {}});
      body.push_back({"", false, If{std::move(condition), copies(ring, step, step), {}}});
    }
    commit(body, "a group for each step, also where there is none");
    Statements loop;
    loop.push_back({listed(ahead_names_) + " of the first steps", false,
                    ForRange{"ahead", index_constant(0), to_index(most_), index_constant(1), std::move(body)}});
    return loop;
  }

  // At the head of a step.
  Statements head() const {
    const std::string step = fmt::format("{} of step {}", listed(names_), kernel_.axes[planned_.axis].name);
    Statements body;
    if (least_.value == 0) {
      // What is not copied ahead goes into slots that all threads have read, and is waited for at once.
      if (one_slot_ && !own_) body.push_back({"all threads have read the slot of the step before", false, RoleSync{}});
      for (const CopiesAhead::Ring& ring : planned_.rings) {
        if (plan_of(ring).ahead.value == 0) move_to(body, copies(ring, index_constant(0), now_));
      }
      if (least_async_.value == 0) commit(body);
    }
    const Number pending =
        least_async_.value <= 1 ? number(0) : number(least_async_.value - 1, least_async_.text + " - 1");
    const std::string have = names_.size() == 1 ? "has" : "have";
    if (any_async_)
      body.push_back({own_ ? fmt::format("{} {} arrived; a thread reads what it copied itself", step, have)
                           : fmt::format("this thread's part of {} has arrived ...", step),
                      false, WaitCopies{pending, rings}});
    if (!own_)
      body.push_back({(any_async_ ? "... and every thread's" : "every thread has stored its part of " + step) +
                          (most_.value > 0 ? "; all have read the step before" : ""),
                      false, RoleSync{}});
    if (most_.value == 0) return body;
    for (const CopiesAhead::Ring& ring : planned_.rings) {
      const Number& ahead = plan_of(ring).ahead;
      if (ahead.value == 0) continue;
      // now + ahead is a step, said without a sum that could be too large.
      const TypedPtr last = index_apply(Op::subtract, axis_size_symbol(kernel_, planned_.axis), to_index(ahead));
      body.push_back({"", false, If{less(now_, last), copies(ring, to_index(ahead), add(now_, to_index(ahead))), {}}});
    }
    commit(body);
    return body;
  }

  std::vector<int> rings;

 private:
  const RingPlan& plan_of(const CopiesAhead::Ring& ring) const { return draft_.plan.rings[ring.ring]; }

  // Whether each thread reads from the slot just what it has copied: then nothing but its own copies matters to it.
  bool reads_own(const LoadShared& load) const {
    for (const CopiesAhead::Ring& ring : planned_.rings) {
      if (ring.ring != load.ring) continue;
      const program::Access& access = ring.accesses[load.operand];
      Shape shape;
      for (const Number& size : block_sizes(draft_.ref(access.ref))) shape.push_back(size.value);
      return !load.offset && draft_.plan.fragments[load.fragment].layout ==
                                 strided_layout(draft_.plan.launch.threads.value, access.vector.value, shape);
    }
    return false;
  }

  // Of the step `step`, into the slot `ahead` after the ring's.
  Statements copies(const CopiesAhead::Ring& from, const TypedPtr& ahead, const TypedPtr& step) const {
    Statements statements;
    const RingPlan& plan = plan_of(from);
    for (size_t i = 0; i < plan.operands.size(); ++i) {
      statements.push_back({"", false,
                            slot_copy(draft_, from.ring, static_cast<int>(i), ahead,
                                      at_step_of(kernel_, from.accesses[i], planned_.axis, step))});
    }
    return statements;
  }

  void commit(Statements& body, const std::string& comment = {}) const {
    if (any_async_) body.push_back({comment, false, CommitCopies{}});
  }

  const Draft& draft_;
  const Kernel& kernel_;
  const CopiesAhead& planned_;
  TypedPtr now_;
  // By how many steps rings go ahead; of those that cp.async fills, which are waited for by groups.
  Number most_ = number(0), least_ = number(0), least_async_ = number(0);
  bool one_slot_ = false, any_async_ = false, own_ = true;
  std::vector<std::string> names_, ahead_names_;
};

}  // namespace

StepsWithCopies steps_with_copies(const Draft& draft, const BlockFrame& frame, const CopiesAhead& planned,
                                  Section step) {
  const StepCopies copies(draft, planned, step.shared_loads);
  Statements body = copies.head();
  move_to(body, in_slabs(frame, in_order(std::move(step))));
  StepsWithCopies steps{copies.first_steps(), {}};
  steps.loop.push_back({"", false, ForSteps{planned.axis, copies.rings, std::move(body)}});
  return steps;
}

}  // namespace pallasgen
