#include "copies_ahead.h"

#include <fmt/format.h>

#include <algorithm>

#include "box_access.h"
#include "cost.h"
#include "memory.h"
#include "program_walk.h"
#include "rings.h"
#include "slot_copies.h"

namespace pallasgen {

namespace {

using namespace program;

int innermost_steps(const Kernel& kernel) {
  for (size_t axis = kernel.axes.size(); axis-- > 0;) {
    if (kernel.axes[axis].sequential) return static_cast<int>(axis);
  }
  return -1;
}

bool mentions_axis(const Kernel& kernel, const TypedPtr& expr, int axis) {
  return expr && !equal(at_step_of(kernel, expr, axis, variable("ahead")), expr);
}

bool moves_with(const Kernel& kernel, const Ref& ref, int axis) {
  return std::any_of(ref.block.begin(), ref.block.end(), [&](const BlockDim& dim) {
    return mentions_axis(kernel, dim.index, axis) || mentions_axis(kernel, dim.slice_size, axis);
  });
}

// Operands with the same stages and delay share a ring. `stages` 0: as the pipeline says.
struct AheadGroup {
  int64_t stages, delay;
  std::vector<int> operands;
};

class AheadPlanner {
 public:
  AheadPlanner(Draft& draft, BlockFrame& frame)
      : draft_(draft), kernel_(*draft.kernel), pipeline_(kernel_.pipeline), frame_(frame) {}

  std::optional<CopiesAhead> run() {
    copies_.axis = innermost_steps(kernel_);
    if (!asks_for_stages(kernel_)) return copies_;
    find_operands();
    if (groups_.empty()) {
      if (!pipeline_.stages.automatic) return refuse_nothing_moves();
      draft_.decide("stages", "0", "no input moves with the steps");
      return copies_;
    }
    choose_stages();
    for (const AheadGroup& group : groups_) {
      if (!add_ring(group)) return std::nullopt;
    }
    return std::move(copies_);
  }

 private:
  bool refuse(const Rule& rule, Span span, const std::string& message, const std::string& works) {
    draft_.refuse(rule, span.source ? span : kernel_.span, message).note(works);
    return false;
  }

  std::optional<CopiesAhead> refuse_nothing_moves() {
    const Ref* own = nullptr;
    for (const Ref& ref : kernel_.refs) {
      if (ref.stages && !own) own = &ref;
    }
    const std::string asked = pipeline_.stages.value.value_or(0) > 0
                                  ? fmt::format("stages: {}", *pipeline_.stages.value)
                                  : fmt::format("stages: {} of '{}'", own->stages.value_or(0), own->name);
    refuse(kPlanSetting, pipeline_.stages.value.value_or(0) > 0 ? pipeline_.stages.span : own->span,
           asked + ", but no input moves with the steps and is read whole in each: there is nothing to copy ahead",
           "`stages: 0` works");
    return std::nullopt;
  }

  // Inputs that move with the steps and that the body reads whole.
  void find_operands() {
    std::vector<int> moving;
    BlockFrame trial_frame = frame_;
    for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
      const Ref& r = kernel_.refs[ref];
      if (r.role != RefRole::input || r.space == MemorySpace::reg || r.space == MemorySpace::gmem) continue;
      if (copies_.axis < 0 || !moves_with(kernel_, r, copies_.axis)) continue;
      if (!r.stages && pipeline_.stages.value.value_or(0) == 0 && !pipeline_.stages.automatic) continue;
      trial_frame.in_rings[static_cast<int>(ref)] = {0, static_cast<int>(moving.size())};
      moving.push_back(static_cast<int>(ref));
    }
    Diagnostics unsaid;
    Draft trial(draft_.kernel, *draft_.target, unsaid);
    std::set<int> read;
    if (std::optional<PlannedBody> body = plan_body(trial, trial_frame)) {
      for_each_statement(in_order(std::move(body->step)), [&](const Statement& statement) {
        if (const auto* load = std::get_if<LoadShared>(&statement.node)) read.insert(load->operand);
      });
    }
    for (size_t i = 0; i < moving.size(); ++i) {
      if (read.count(static_cast<int>(i)) > 0) {
        join_group(moving[i]);
      } else {
        draft_.decide("copies of " + draft_.ref(moving[i]).name, "none ahead",
                      "the body reads parts of its block, straight from global memory");
      }
    }
  }

  void join_group(int index) {
    const Ref& ref = draft_.ref(index);
    const int64_t stages = ref.stages.value_or(0),
                  delay = ref.delay_release.value_or(pipeline_.delay_release.value.value_or(0));
    for (AheadGroup& group : groups_) {
      if (group.stages != stages || group.delay != delay) continue;
      group.operands.push_back(index);
      return;
    }
    groups_.push_back({stages, delay, {index}});
  }

  int64_t slot_bytes(int operand) const {
    const Ref& ref = draft_.ref(operand);
    const int64_t bytes = bytes_of(ref.dtype, block_elements(ref).value);
    return (bytes + 15) / 16 * 16;
  }

  int64_t fitting_stages() const {
    int64_t left = draft_.target->shared_limit, step = 0;
    for (const SharedField& field : draft_.plan.shared.fields) left -= field.bytes;
    for (const AheadGroup& group : groups_) {
      for (int operand : group.operands) {
        if (group.stages > 0)
          left -= slot_bytes(operand) * group.stages;
        else
          step += slot_bytes(operand);
      }
    }
    return step == 0 ? 0 : std::max<int64_t>(0, left / step);
  }

  void choose_stages() {
    if (!pipeline_.stages.automatic) {
      stages_ = pipeline_.stages.value.value_or(0);
      return;
    }
    int64_t bytes = 0, most_delay = 0;
    for (const AheadGroup& group : groups_) {
      if (group.stages > 0) continue;
      most_delay = std::max(most_delay, group.delay);
      for (int operand : group.operands) bytes += slot_bytes(operand);
    }
    if (bytes == 0) return;
    const int64_t fit = fitting_stages(),
                  hide = stages_to_hide_latency(step_cost(*draft_.target, 0, static_cast<double>(bytes)));
    stages_ = std::max<int64_t>(1 + most_delay, std::min(fit, hide + most_delay));
    draft_.decide("stages", std::to_string(stages_),
                  fmt::format("modelled: {} would hide the latency of a copy; {} fit", hide, fit));
  }

  bool add_ring(const AheadGroup& group) {
    Plan& plan = draft_.plan;
    std::string suffix;
    std::vector<std::string> names;
    for (int operand : group.operands) {
      names.push_back(draft_.ref(operand).name);
      if (groups_.size() > 1) suffix += "_" + draft_.ref(operand).name;
    }
    const int64_t stages = group.stages > 0 ? group.stages : stages_;
    if (group.delay >= stages) {
      const Ref& first = draft_.ref(group.operands.front());
      return refuse(
          kPlanStages,
          first.delay_release || !pipeline_.delay_release.span.source ? first.span : pipeline_.delay_release.span,
          fmt::format("'{}' keeps a slot for {} more, and its ring has only {}", first.name,
                      counted(group.delay, "step"), stages),
          fmt::format("{} slots are enough", group.delay + 1));
    }
    RingPlan ring;
    ring.name = suffix.empty() ? "ring" : draft_.names().derived("ring" + suffix);
    ring.slot_name = suffix.empty() ? "s" : draft_.names().derived("s" + suffix);
    ring.delay = static_cast<int>(group.delay);
    ring.moves_on = {copies_.axis};
    ring.slots = draft_.constant(constant_name::stages + suffix, stages, constant_line::stages);
    const int64_t ahead = stages - 1 - group.delay;
    ring.ahead = ahead == 0 ? number(0)
                            : draft_.constant(constant_name::ahead + suffix, ahead, constant_line::stages,
                                              fmt::format("{} - {}", ring.slots.text, 1 + group.delay));
    CopiesAhead::Ring planned{static_cast<int>(plan.rings.size()), ring.delay, {}};
    int64_t bytes = 0;
    for (int index : group.operands) {
      program::Access access = slot_access(draft_, block_box(draft_, index));
      RingOperand operand = thread_operand(draft_, access, ring.slots);
      warn_of_narrow_copies(draft_, access, false);
      planned.accesses.push_back(std::move(access));
      bytes += operand.bytes.value;
      ring.operands.push_back(std::move(operand));
    }
    ring.bytes = number(bytes);
    ring.path = "copied by the threads that read it";
    for (size_t i = 0; i < group.operands.size(); ++i)
      frame_.in_rings[group.operands[i]] = {planned.ring, static_cast<int>(i)};
    plan.rings.push_back(std::move(ring));
    copies_.rings.push_back(std::move(planned));
    return true;
  }

  Draft& draft_;
  const Kernel& kernel_;
  const PipelineSettings& pipeline_;
  BlockFrame& frame_;
  CopiesAhead copies_;
  std::vector<AheadGroup> groups_;
  int64_t stages_ = 0;
};

}  // namespace

bool asks_for_stages(const Kernel& kernel) {
  const IntegerSetting& stages = kernel.pipeline.stages;
  return stages.automatic || stages.value.value_or(0) > 0 ||
         std::any_of(kernel.refs.begin(), kernel.refs.end(), [](const Ref& ref) { return ref.stages.has_value(); });
}

std::optional<CopiesAhead> plan_copies_ahead(Draft& draft, BlockFrame& frame) {
  return AheadPlanner(draft, frame).run();
}

bool check_slots_fit(Draft& draft, const CopiesAhead& copies) {
  if (copies.rings.empty()) return true;
  const SharedMemory& shared = draft.plan.shared;
  int64_t slots = 0, step = 0;
  for (const CopiesAhead::Ring& ring : copies.rings) {
    for (const RingOperand& operand : draft.plan.rings[ring.ring].operands) {
      const bool own = draft.ref(operand.ref).stages.has_value();
      const int64_t bytes = shared.fields[operand.field].bytes;
      slots += own ? 0 : bytes;
      step += own ? 0 : bytes / draft.plan.rings[ring.ring].slots.value;
    }
  }
  const int64_t fit = step == 0 ? 0 : std::max<int64_t>(0, (shared.limit - (shared.total - slots)) / step);
  const IntegerSetting& stages = draft.kernel->pipeline.stages;
  return check_memory(
      draft, stages.span.source ? stages.span : draft.kernel->span,
      fit == 0 ? "" : counted(fit, "stage") + (fit == 1 ? " fits" : " fit"),
      fit == 0 ? std::vector<std::string>{"`stages: 0`"} : std::vector<std::string>{fmt::format("stages {}", fit)});
}

}  // namespace pallasgen
