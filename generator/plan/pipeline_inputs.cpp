#include "pipeline_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "access.h"
#include "box_access.h"
#include "bulk_copies.h"
#include "cost.h"
#include "rings.h"
#include "slot_copies.h"

namespace pallasgen {

PipelineInputs::PipelineInputs(Draft& draft, BlockReaders readers)
    : draft_(draft), kernel_(*draft.kernel), pipeline_(kernel_.pipeline), readers_(readers) {
  for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
    if (kernel_.axes[axis].sequential) axes_.push_back(static_cast<int>(axis));
  }
}

bool PipelineInputs::refuse(const Rule& rule, Span span, const std::string& message, const std::string& works) {
  draft_.refuse(rule, span.source ? span : kernel_.span, message).note(works);
  return false;
}

bool PipelineInputs::check_settings() {
  if (!draft_.target->tma)
    return refuse(
        kPlanSetting, pipeline_.warp_specialized.span,
        fmt::format("`warp_specialized: true` needs tensor copies, which {} does not have", draft_.target->name),
        "`pipeline: {stages: 0}` works");
  if (pipeline_.stages.value && *pipeline_.stages.value == 0)
    return refuse(kPlanStages, pipeline_.stages.span, "stages: 0 leaves a producer nothing to do",
                  "`stages: auto` works; so does `warp_specialized: false`");
  return true;
}

bool PipelineInputs::find() {
  bool fine = check_settings();
  if (!fine) return false;
  for (size_t index = 0; index < kernel_.refs.size(); ++index) {
    const Ref& ref = kernel_.refs[index];
    if (ref.role != RefRole::input || ref.space == MemorySpace::reg || ref.space == MemorySpace::gmem) continue;
    bool moves = axes_.empty();
    for (const BlockDim& dim : ref.block) moves = moves || (dim.index && mentions_steps(kernel_, dim.index));
    const int operand = static_cast<int>(index);
    if (!moves) continue;
    const std::optional<Hands> way = way_of(operand);
    if (!way) continue;
    fine = join_ring(operand, *way) && fine;
    operands_.push_back(operand);
  }
  if (!fine || !operands_.empty()) return fine;
  if (left_) {
    draft_.diagnostics.add(*left_);
    return false;
  }
  return refuse(kPlanSetting, pipeline_.warp_specialized.span,
                "`warp_specialized: true`, but no input moves with the steps", "`pipeline: {stages: 0}` works");
}

std::optional<Hands> PipelineInputs::way_of(int operand) {
  Diagnostics unsaid;
  Draft trial(draft_.kernel, *draft_.target, unsaid);
  if (check_tensor_copy(trial, operand, readers_) &&
      tensor_operand(trial, block_box(trial, operand), Swizzle::none, Major::none))
    return Hands::one_thread;
  const Ref& ref = draft_.ref(operand);
  const std::string& why = unsaid.all().front().message;
  const bool of_runtime_size = std::any_of(ref.block.begin(), ref.block.end(), [](const BlockDim& dim) {
    return dim.kind == BlockKind::whole && dim.size < 0;
  });
  if (info(ref.dtype).bits < 8 || ref.array_shape.empty() || of_runtime_size) {
    if (!left_) left_ = unsaid.all().front();
    draft_.decide("copy of " + ref.name, "none: it is read in global memory", why);
    return std::nullopt;
  }
  const Proof run = proved_run(draft_, operand);
  if (run.holds) {
    draft_.decide("path of " + ref.name, "a bulk copy, no tensor copy", why);
    runs_.insert(operand);
    return run_access(draft_, block_box(draft_, operand)).masked ? Hands::one_warp : Hands::one_thread;
  }
  draft_.decide("path of " + ref.name, "the producer's threads copy it, no tensor copy", why);
  draft_.decide("path of " + ref.name, "no bulk copy", run.why);
  if (!pitch_is_proved(draft_, operand))
    warn_of_narrow_copies(draft_, slot_access(draft_, block_box(draft_, operand)), true);
  return Hands::all;
}

// Operands with the same stages, delay and hands that fill their slots share a ring.
bool PipelineInputs::join_ring(int index, Hands filled_by) {
  const Ref& ref = draft_.ref(index);
  const int64_t stages = ref.stages.value_or(0),
                delay = ref.delay_release.value_or(pipeline_.delay_release.value.value_or(0));
  const Span span = ref.delay_release || !pipeline_.delay_release.span.source ? ref.span : pipeline_.delay_release.span;
  if (delay > 1 || (delay == 1 && axes_.size() != 1))
    return refuse(kPlanStages, span,
                  fmt::format("'{}' with delay_release {} {} is not planned yet without a dot", ref.name, delay,
                              axes_.size() == 1 ? "along one sequential axis" : "in a ring of this grid"),
                  "a delay of 0 is taken");
  if (delay == 1 && (stages == 1 || (stages == 0 && pipeline_.stages.value == 1)))
    return refuse(kPlanStages, span,
                  fmt::format("'{}' keeps a slot for one step more, and its ring has only 1", ref.name),
                  "2 slots are enough");
  for (Group& group : groups_) {
    if (group.stages != stages || group.delay != delay || group.filled_by != filled_by) continue;
    group.operands.push_back(index);
    return true;
  }
  groups_.push_back({stages, delay, filled_by, {index}});
  return true;
}

int64_t PipelineInputs::block_bytes(int operand) const {
  int64_t elements = 1;
  for (int64_t size : draft_.ref(operand).shape) elements *= size;
  return bytes_of(draft_.ref(operand).dtype, elements);
}

// Of the operands whose stages the pipeline sets.
int64_t PipelineInputs::stage_bytes() const {
  int64_t bytes = 0;
  for (const Group& group : groups_) {
    for (int operand : group.operands) bytes += group.stages == 0 ? block_bytes(operand) : 0;
  }
  return bytes;
}

int64_t PipelineInputs::fitting_stages(int64_t bytes_beside) const {
  // Each field starts at a multiple of what a tensor copy asks for.
  int64_t left = draft_.target->shared_limit - bytes_beside - 128 * static_cast<int64_t>(operands_.size() + 1);
  for (const Group& group : groups_) {
    for (int operand : group.operands) left -= group.stages * (block_bytes(operand) + 16);
  }
  return std::max<int64_t>(0, left / (stage_bytes() + 16));
}

double PipelineInputs::bytes() const {
  double bytes = 0;
  for (int operand : operands_) bytes += static_cast<double>(block_bytes(operand));
  return bytes;
}

bool PipelineInputs::share_stages() const {
  return std::any_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.stages == 0; });
}

void PipelineInputs::choose_stages(int64_t bytes_beside) {
  if (pipeline_.stages.value) {
    stages_ = *pipeline_.stages.value;
    return;
  }
  const int64_t fit = fitting_stages(bytes_beside);
  const StepCost step = step_cost(*draft_.target, 0, static_cast<double>(stage_bytes()));
  stages_ = std::max<int64_t>(1, std::min(fit, stages_to_hide_latency(step)));
  draft_.decide(
      "stages", std::to_string(stages_),
      fmt::format("modelled: {} would hide the latency of a copy; {} fit", stages_to_hide_latency(step), fit));
}

std::optional<std::vector<int>> PipelineInputs::add_rings(Draft& draft, const Number& stages, const Number& consumers,
                                                          std::map<int, InRing>& in_rings) const {
  std::vector<int> rings;
  for (const Group& group : groups_) {
    RingRequest request;
    for (int operand : group.operands)
      request.operands.push_back({block_box(draft, operand), Swizzle::none, Major::none, runs_.count(operand) > 0});
    if (groups_.size() > 1) {
      for (int operand : group.operands) request.suffix += "_" + draft.ref(operand).name;
    }
    request.axes = axes_;
    request.slots = group.stages == 0
                        ? stages
                        : draft.constant(constant_name::stages + request.suffix, group.stages, constant_line::stages);
    request.consumers = consumers;
    request.delay = static_cast<int>(group.delay);
    request.filled_by = group.filled_by;
    rings.push_back(plan_ring(draft, request));
    if (rings.back() < 0) return std::nullopt;
    for (size_t i = 0; i < group.operands.size(); ++i)
      in_rings[group.operands[i]] = {rings.back(), static_cast<int>(i)};
  }
  return rings;
}

}  // namespace pallasgen
