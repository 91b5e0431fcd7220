#include <fmt/format.h>

#include <algorithm>

#include "access.h"
#include "blocks.h"
#include "body.h"
#include "cost.h"
#include "finish.h"
#include "memory.h"
#include "registers.h"
#include "rings.h"
#include "role_sync.h"
#include "slabs.h"
#include "tensor_copies.h"
#include "work.h"

namespace pallasgen {

namespace {

using namespace program;

constexpr int64_t kMostWarpgroups = 7;  // the runtime's named barriers 1 to 7

class PipelinedBlocks {
 public:
  // Operands that share a ring. `stages` 0: as the pipeline says.
  struct Group {
    int64_t stages, delay;
    std::vector<int> operands;
    int ring;
  };

  explicit PipelinedBlocks(Draft& draft) : draft_(draft), kernel_(*draft.kernel), pipeline_(kernel_.pipeline) {}

  bool run() {
    if (!check_settings() || !find_operands() || !choose_warpgroups()) return false;
    return choose_stages() && plan_work(draft_) && build();
  }

 private:
  bool refuse(const Rule& rule, Span span, const std::string& message, const std::string& works) {
    draft_.refuse(rule, span.source ? span : kernel_.span, message).note(works);
    return false;
  }

  bool check_settings() {
    if (!draft_.target->tma)
      return refuse(
          kPlanSetting, pipeline_.warp_specialized.span,
          fmt::format("`warp_specialized: true` needs tensor copies, which {} does not have", draft_.target->name),
          "`pipeline: {stages: 0}` works");
    if (pipeline_.stages.value && *pipeline_.stages.value == 0)
      return refuse(kPlanStages, pipeline_.stages.span, "stages: 0 leaves a producer nothing to do",
                    "`stages: auto` works; so does `warp_specialized: false`");
    for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
      if (kernel_.axes[axis].sequential) axes_.push_back(static_cast<int>(axis));
    }
    return true;
  }

  // Inputs that move with the steps (with the tile, where there are none) come through the ring.
  bool find_operands() {
    bool fine = true;
    for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
      const Ref& r = kernel_.refs[ref];
      if (r.role != RefRole::input || r.space == MemorySpace::reg || r.space == MemorySpace::gmem) continue;
      bool moves = axes_.empty();
      for (const BlockDim& dim : r.block) moves = moves || (dim.index && mentions_steps(kernel_, dim.index));
      if (!moves) continue;
      fine = check_tensor_copy(draft_, static_cast<int>(ref)) && fine;
      fine = join_ring(static_cast<int>(ref)) && fine;
      operands_.push_back(static_cast<int>(ref));
    }
    if (fine && operands_.empty())
      return refuse(kPlanSetting, pipeline_.warp_specialized.span,
                    "`warp_specialized: true`, but no input moves with the steps", "`pipeline: {stages: 0}` works");
    return fine;
  }

  // Operands with the same stages and delay share a ring.
  bool join_ring(int index) {
    const Ref& ref = draft_.ref(index);
    const int64_t stages = ref.stages.value_or(0),
                  delay = ref.delay_release.value_or(pipeline_.delay_release.value.value_or(0));
    const Span span =
        ref.delay_release || !pipeline_.delay_release.span.source ? ref.span : pipeline_.delay_release.span;
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
      if (group.stages != stages || group.delay != delay) continue;
      group.operands.push_back(index);
      return true;
    }
    groups_.push_back({stages, delay, {index}, -1});
    return true;
  }

  bool choose_warpgroups() {
    int64_t rows = 0;
    const Ref* output = nullptr;
    for (const Ref& ref : kernel_.refs) {
      if (ref.role != RefRole::output && ref.role != RefRole::scratch) continue;
      const int64_t own = ref.shape.empty() ? 1 : ref.shape.front();
      if (rows != 0 && rows != own && pipeline_.compute_warpgroups.value.value_or(1) > 1)
        return refuse(kPlanBody, ref.span,
                      "compute warpgroups that share blocks of different first dims are not planned yet",
                      "compute_warpgroups 1 works");
      if (rows == 0) rows = own;
      if (!output && ref.role == RefRole::output) output = &ref;
    }
    rows_ = number(rows);
    for (const BlockDim& dim : output->block) {
      if (dim.kind == BlockKind::squeezed) continue;
      rows_ = number_of(dim);
      break;
    }
    consumers_ = pipeline_.compute_warpgroups.value.value_or(1);
    if (consumers_ < 1 || consumers_ > kMostWarpgroups)
      return refuse(kPlanRegisterPool, pipeline_.compute_warpgroups.span,
                    fmt::format("{}: beside a producer a CTA has room for 1 to {}",
                                counted(consumers_, "compute warpgroup"), kMostWarpgroups),
                    fmt::format("compute_warpgroups {} works", divisor_below(rows, kMostWarpgroups)));
    if (rows % consumers_ != 0)
      return refuse(kPlanBody, pipeline_.compute_warpgroups.span,
                    fmt::format("{} share the {} rows of a block, which do not divide by it",
                                counted(consumers_, "compute warpgroup"), rows),
                    fmt::format("compute_warpgroups {} works", divisor_below(rows, consumers_)));
    return true;
  }

  static int64_t divisor_below(int64_t rows, int64_t most) {
    for (int64_t candidate = most; candidate > 1; --candidate) {
      if (rows % candidate == 0) return candidate;
    }
    return 1;
  }

  int64_t block_bytes(int operand) const {
    int64_t elements = 1;
    for (int64_t size : draft_.ref(operand).shape) elements *= size;
    return bytes_of(draft_.ref(operand).dtype, elements);
  }

  // Of the operands whose stages the pipeline sets.
  int64_t stage_bytes() const {
    int64_t bytes = 0;
    for (const Group& group : groups_) {
      for (int operand : group.operands) bytes += group.stages == 0 ? block_bytes(operand) : 0;
    }
    return bytes;
  }

  int64_t fitting_stages() const {
    // Each field starts at a multiple of what a tensor copy asks for.
    int64_t left = draft_.target->shared_limit - 128 * static_cast<int64_t>(operands_.size() + 1);
    for (const Group& group : groups_) {
      for (int operand : group.operands) left -= group.stages * (block_bytes(operand) + 16);
    }
    return std::max<int64_t>(0, left / (stage_bytes() + 16));
  }

  bool choose_stages() {
    const int64_t fit = fitting_stages();
    if (pipeline_.stages.value) {
      stages_ = *pipeline_.stages.value;
      return true;
    }
    const StepCost step = step_cost(*draft_.target, 0, static_cast<double>(stage_bytes()));
    stages_ = std::max<int64_t>(1, std::min(fit, stages_to_hide_latency(step)));
    draft_.decide(
        "stages", std::to_string(stages_),
        fmt::format("modelled: {} would hide the latency of a copy; {} fit", stages_to_hide_latency(step), fit));
    return true;
  }

  bool build() {
    Plan& plan = draft_.plan;
    plan.work.tile = stored_tile(kernel_);
    const bool shared =
        std::any_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.stages == 0; });
    const Number stages =
        shared ? draft_.constant(constant_name::stages, stages_, constant_line::stages) : number(stages_);
    const Number consumers = draft_.constant(constant_name::consumers, consumers_, constant_line::consumers);
    plan.launch.threads = draft_.constant(constant_name::threads, threads_with_producer(static_cast<int>(consumers_)),
                                          constant_line::threads, "128 * (1 + kConsumers)");
    BlockFrame frame;
    frame.threads = number(128);
    frame.groups = consumers;
    frame.vector = widest_vector(draft_);
    if (consumers_ > 1)
      frame.part_rows = draft_.constant(constant_name::rows, rows_.value / consumers_, constant_line::rows,
                                        quotient(rows_, consumers).text);
    const Number part_rows = consumers_ > 1 ? frame.part_rows : rows_;
    frame.rows = rows_of(kernel_, frame.vector);
    if (frame.rows && !check_rows(*frame.rows)) return false;
    std::vector<int> rings;
    for (Group& group : groups_) {
      if (!add_ring(group, stages, consumers)) return false;
      rings.push_back(group.ring);
      for (size_t i = 0; i < group.operands.size(); ++i)
        frame.in_rings[group.operands[i]] = {group.ring, static_cast<int>(i)};
    }
    if (!choose_slabs(draft_, frame)) return false;
    std::optional<PlannedBody> body = plan_body(draft_, frame);
    if (!body) return false;
    if (frame.rows)
      name_rows_layout(draft_, *frame.rows, frame.threads, frame.splits() ? frame.part_rows : frame.rows->rows);
    const double bytes = body->bytes;
    plan.roles.push_back(producer_role(draft_, rings));
    plan.roles.push_back(consumer(frame, rings, consumers, part_rows, std::move(*body)));
    insert_role_syncs(draft_, plan.roles.back().program);
    for (RolePlan& role : plan.roles)
      role.registers = number(registers_at_entry(*draft_.target, plan.launch.threads.value));
    plan_memory(draft_);
    const int64_t fit = fitting_stages();
    if (!check_memory(draft_, pipeline_.stages.span.source ? pipeline_.stages.span : kernel_.span,
                      fit == 0 ? "not even 1 stage fits" : counted(fit, "stage") + (fit == 1 ? " fits" : " fit"),
                      fit == 0 ? std::vector<std::string>{} : std::vector<std::string>{fmt::format("stages {}", fit)}))
      return false;
    finish_roles(draft_);
    finish_launch(draft_);
    finish_constants(draft_);
    plan.cost = streaming_cost(draft_, bytes * static_cast<double>(frame.slabs.value) * consumers_, 0, stages_);
    return true;
  }

  // Rows stay in a warpgroup.
  bool check_rows(const RowsFrame& rows) {
    if (rows.lanes > 128)
      return refuse(kPlanBody, pipeline_.warp_specialized.span,
                    fmt::format("a row of {} elements takes {} threads, a compute warpgroup has 128",
                                rows.columns.value, rows.lanes),
                    "`warp_specialized: false` works");
    if (consumers_ > 1 && rows.rows.value != rows_.value)
      return refuse(
          kPlanBody, pipeline_.compute_warpgroups.span,
          fmt::format("{} share blocks whose rows are not their first dim", counted(consumers_, "compute warpgroup")),
          "compute_warpgroups 1 works");
    return true;
  }

  bool add_ring(Group& group, const Number& stages, const Number& consumers) {
    RingRequest request;
    for (int operand : group.operands) request.operands.push_back({operand, Swizzle::none, Major::none});
    if (groups_.size() > 1) {
      for (int operand : group.operands) request.suffix += "_" + draft_.ref(operand).name;
    }
    request.axes = axes_;
    request.slots = group.stages == 0
                        ? stages
                        : draft_.constant(constant_name::stages + request.suffix, group.stages, constant_line::stages);
    request.consumers = consumers;
    request.delay = static_cast<int>(group.delay);
    group.ring = plan_ring(draft_, request);
    return group.ring >= 0;
  }

  RolePlan consumer(const BlockFrame& frame, const std::vector<int>& rings, const Number& consumers,
                    const Number& part_rows, PlannedBody body) {
    const std::string what = axes_.empty()       ? "this tile"
                             : axes_.size() == 1 ? fmt::format("step {}", kernel_.axes[axes_[0]].name)
                                                 : "this step";
    Statements step, release, drained;
    release.push_back({"all threads have read their part of the stage ...", false, WarpgroupSync{}});
    for (const Group& group : groups_) {
      std::vector<std::string> names;
      for (int operand : group.operands) names.push_back(draft_.ref(operand).name);
      step.push_back({fmt::format("{} of {} {} arrived", listed(names), what, names.size() == 1 ? "has" : "have"),
                      false, BarrierWait{draft_.plan.rings[group.ring].full, group.ring, false}});
      const int axis = axes_.empty() ? -1 : axes_.back();
      if (group.delay == 0) {
        release.push_back({"... which is free again", false, Release{group.ring, ReleaseWhen::now, axis}});
      } else {
        release.push_back({"... and of the one before, which is free again", false,
                           Release{group.ring, ReleaseWhen::previous_step, axis}});
        drained.push_back({"", false, Release{group.ring, ReleaseWhen::last_step, axis}});
      }
    }
    Statements loads = std::move(body.step.shared_loads);
    body.step.shared_loads.clear();
    Statements rest = in_order(std::move(body.step));
    const auto append = [](Statements& to, Statements from) {
      for (Statement& statement : from) to.push_back(std::move(statement));
    };
    if (frame.slabs.value > 1) {
      append(loads, std::move(rest));
      append(step, in_slabs(frame, std::move(loads)));
      append(step, std::move(release));
    } else {
      append(step, std::move(loads));
      append(step, std::move(release));
      append(step, std::move(rest));
    }
    Statements tile;
    std::vector<int> tile_rings;
    append(tile, in_order(std::move(body.before)));
    append(tile, in_steps(axes_, rings, std::move(step)));
    append(tile, std::move(drained));
    if (axes_.empty()) tile_rings = rings;
    append(tile, in_order(std::move(body.after)));
    RolePlan role;
    role.name = "consumer";
    role.first_warp = 4;
    role.warps = 4 * static_cast<int>(consumers_);
    role.groups = consumers;
    role.rows_per_group = part_rows;
    role.rings = rings;
    role.purpose = fmt::format("{} rows of the block each", part_rows.value);
    role.program.push_back({"", false, ForTiles{std::move(tile), std::move(tile_rings)}});
    return role;
  }

  Draft& draft_;
  const Kernel& kernel_;
  const PipelineSettings& pipeline_;
  std::vector<int> axes_;  // sequential
  std::vector<Group> groups_;
  std::vector<int> operands_;
  int64_t consumers_ = 1, stages_ = 1;
  Number rows_;
};

}  // namespace

bool plan_pipelined_blocks(Draft& draft) { return PipelinedBlocks(draft).run(); }

}  // namespace pallasgen
