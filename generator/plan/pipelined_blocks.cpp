#include <fmt/format.h>

#include <algorithm>

#include "access.h"
#include "blocks.h"
#include "body.h"
#include "cost.h"
#include "element_fusion.h"
#include "element_planner.h"
#include "finish.h"
#include "memory.h"
#include "pipeline_inputs.h"
#include "registers.h"
#include "ring_steps.h"
#include "rings.h"
#include "role_sync.h"
#include "shared_scopes.h"
#include "slabs.h"
#include "tensor_copies.h"
#include "work.h"

namespace pallasgen {

namespace {

using namespace program;

constexpr int64_t kMostWarpgroups = 7;  // the runtime's named barriers 1 to 7

class PipelinedBlocks {
 public:
  // `why_elements`: what registers do not hold of the body, so that it goes element by element; empty: they hold it.
  PipelinedBlocks(Draft& draft, std::string why_elements)
      : draft_(draft),
        kernel_(*draft.kernel),
        pipeline_(kernel_.pipeline),
        by_elements_(!why_elements.empty()),
        why_(std::move(why_elements)),
        inputs_(draft, by_elements_ ? BlockReaders::elements : BlockReaders::fragments),
        axes_(inputs_.axes()) {}

  bool run() {
    if (!inputs_.find() || !(by_elements_ ? measure_elements() : choose_warpgroups())) return false;
    inputs_.choose_stages(tile_bytes_);
    return plan_work(draft_) && build();
  }

 private:
  bool refuse(const Rule& rule, Span span, const std::string& message, const std::string& works) {
    draft_.refuse(rule, span.source ? span : kernel_.span, message).note(works);
    return false;
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
    if (!check_warpgroups(divisor_below(rows, kMostWarpgroups))) return false;
    if (rows % consumers_ != 0)
      return refuse(kPlanBody, pipeline_.compute_warpgroups.span,
                    fmt::format("{} share the {} rows of a block, which do not divide by it",
                                counted(consumers_, "compute warpgroup"), rows),
                    fmt::format("compute_warpgroups {} works", divisor_below(rows, consumers_)));
    return true;
  }

  bool check_warpgroups(int64_t works) {
    if (consumers_ >= 1 && consumers_ <= kMostWarpgroups) return true;
    return refuse(kPlanRegisterPool, pipeline_.compute_warpgroups.span,
                  fmt::format("{}: beside a producer a CTA has room for 1 to {}",
                              counted(consumers_, "compute warpgroup"), kMostWarpgroups),
                  fmt::format("compute_warpgroups {} works", works));
  }

  static int64_t divisor_below(int64_t rows, int64_t most) {
    for (int64_t candidate = most; candidate > 1; --candidate) {
      if (rows % candidate == 0) return candidate;
    }
    return 1;
  }

  bool build() {
    Plan& plan = draft_.plan;
    plan.work.tile = stored_tile(kernel_);
    const Number stages = inputs_.share_stages()
                              ? draft_.constant(constant_name::stages, inputs_.stages(), constant_line::stages)
                              : number(inputs_.stages());
    const Number consumers = draft_.constant(constant_name::consumers, consumers_, constant_line::consumers);
    plan.launch.threads = draft_.constant(constant_name::threads, threads_with_producer(static_cast<int>(consumers_)),
                                          constant_line::threads, "128 * (1 + kConsumers)");
    return by_elements_ ? build_elements(stages, consumers) : build_blocks(stages, consumers);
  }

  bool build_blocks(const Number& stages, const Number& consumers) {
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
    const std::optional<std::vector<int>> rings = inputs_.add_rings(draft_, stages, consumers, frame.in_rings);
    if (!rings || !choose_slabs(draft_, frame)) return false;
    std::optional<PlannedBody> body = plan_body(draft_, frame);
    if (!body) return false;
    if (frame.rows)
      name_rows_layout(draft_, *frame.rows, frame.threads, frame.splits() ? frame.part_rows : frame.rows->rows);
    const double bytes = body->bytes * static_cast<double>(frame.slabs.value) * static_cast<double>(consumers_);
    return finish(*rings, consumer(frame, *rings, consumers, part_rows, std::move(*body)), bytes);
  }

  // The program of a tile, element by element, and what the draft needs for it.
  struct Elements {
    Statements tile;
    std::vector<int> rings;
    int64_t largest;  // elements of one statement
    int64_t warps;    // that one reduction keeps busy
    double bytes;     // from and to global memory in one step
  };
  std::optional<Elements> elements(Draft& draft, const Number& stages, const Number& consumers) {
    std::map<int, InRing> in_rings;
    const std::optional<std::vector<int>> rings = inputs_.add_rings(draft, stages, consumers, in_rings);
    if (!rings) return std::nullopt;
    ElementPlanner planner(draft, std::move(in_rings));
    std::optional<Statements> tile = planner.run();
    if (!tile) return std::nullopt;
    fuse_element_loops(draft, *tile);
    share_scopes(draft, *tile);
    read_through_rings(draft, *rings, *tile);
    return Elements{std::move(*tile), *rings, planner.largest(), planner.warps(), planner.bytes() + inputs_.bytes()};
  }

  // How many warpgroups, and what stages have to leave of shared memory, as a trial with one stage has it. What is
  // wrong comes up when it is planned in earnest.
  bool measure_elements() {
    Diagnostics unsaid;
    Draft trial(draft_.kernel, *draft_.target, unsaid);
    const std::optional<Elements> body = elements(trial, number(1), number(1));
    const int64_t wanted = body ? (std::max(body->largest, kWarp * body->warps) + 127) / 128 : 1;
    consumers_ = pipeline_.compute_warpgroups.value.value_or(std::clamp<int64_t>(wanted, 1, kMostThreads / 128));
    std::set<int> in_rings;
    for (const RingPlan& ring : trial.plan.rings) {
      for (const RingOperand& operand : ring.operands) in_rings.insert(operand.field);
    }
    const SharedMemory& shared = trial.plan.shared;
    for (const std::vector<int>& place : places_of(shared)) {
      const SharedField& field = shared.fields[place.front()];
      if (!field.is_barrier && in_rings.count(place.front()) == 0)
        tile_bytes_ += (bytes_of(shared, place) + field.alignment - 1) / field.alignment * field.alignment;
    }
    return check_warpgroups(kMostThreads / 128);
  }

  bool build_elements(const Number& stages, const Number& consumers) {
    std::optional<Elements> body = elements(draft_, stages, consumers);
    if (!body) return false;
    decide_values(draft_, body->warps, why_);
    RolePlan role = consumer_of(body->rings, consumers);
    role.purpose = "each thread computes every so many elements of each statement";
    role.rows_per_group = number(1);
    role.program.push_back(
        {"", false, ForTiles{std::move(body->tile), axes_.empty() ? body->rings : std::vector<int>{}}});
    return finish(body->rings, std::move(role), body->bytes);
  }

  // `bytes`: what a CTA moves from and to global memory in one step.
  bool finish(const std::vector<int>& rings, RolePlan consumer, double bytes) {
    Plan& plan = draft_.plan;
    plan.roles.push_back(producer_role(draft_, rings));
    plan.roles.push_back(std::move(consumer));
    insert_role_syncs(draft_, plan.roles.back().program);
    for (RolePlan& role : plan.roles)
      role.registers = number(registers_at_entry(*draft_.target, plan.launch.threads.value));
    plan_memory(draft_);
    const int64_t fit = inputs_.fitting_stages(tile_bytes_);
    if (!check_memory(draft_, pipeline_.stages.span.source ? pipeline_.stages.span : kernel_.span,
                      fit == 0 ? "not even 1 stage fits" : counted(fit, "stage") + (fit == 1 ? " fits" : " fit"),
                      fit == 0 ? std::vector<std::string>{} : std::vector<std::string>{fmt::format("stages {}", fit)}))
      return false;
    finish_roles(draft_);
    finish_launch(draft_);
    finish_constants(draft_);
    plan.cost = streaming_cost(draft_, bytes, 0, inputs_.stages());
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

  RolePlan consumer(const BlockFrame& frame, const std::vector<int>& rings, const Number& consumers,
                    const Number& part_rows, PlannedBody body) {
    RingSteps steps = ring_steps(draft_, rings, {"", false, WarpgroupSync{}});
    Statements step = std::move(steps.arrived);
    Statements loads = std::move(body.step.shared_loads);
    body.step.shared_loads.clear();
    Statements rest = in_order(std::move(body.step));
    const auto append = [](Statements& to, Statements from) {
      for (Statement& statement : from) to.push_back(std::move(statement));
    };
    if (frame.slabs.value > 1) {
      append(loads, std::move(rest));
      append(step, in_slabs(frame, std::move(loads)));
      append(step, std::move(steps.release));
    } else {
      append(step, std::move(loads));
      append(step, std::move(steps.release));
      append(step, std::move(rest));
    }
    Statements tile;
    std::vector<int> tile_rings;
    append(tile, in_order(std::move(body.before)));
    append(tile, in_steps(axes_, rings, std::move(step)));
    append(tile, std::move(steps.drained));
    if (axes_.empty()) tile_rings = rings;
    append(tile, in_order(std::move(body.after)));
    RolePlan role = consumer_of(rings, consumers);
    role.rows_per_group = part_rows;
    role.purpose = counted(part_rows.value, "row") + " of the block each";
    role.program.push_back({"", false, ForTiles{std::move(tile), std::move(tile_rings)}});
    return role;
  }

  RolePlan consumer_of(const std::vector<int>& rings, const Number& consumers) const {
    RolePlan role;
    role.name = "consumer";
    role.first_warp = 4;
    role.warps = 4 * static_cast<int>(consumers_);
    role.groups = consumers;
    role.rings = rings;
    return role;
  }

  Draft& draft_;
  const Kernel& kernel_;
  const PipelineSettings& pipeline_;
  const bool by_elements_;
  const std::string why_;
  PipelineInputs inputs_;
  const std::vector<int>& axes_;  // sequential
  int64_t tile_bytes_ = 0;        // shared memory beside the rings
  int64_t consumers_ = 1;
  Number rows_;
};

// Whether the refusal is about what the body does or what its blocks are, not about a setting or a fact.
bool is_of_body(const Diagnostic& refusal) {
  for (const Rule* rule : {&kPlanBody, &kPlanRegisters, &kPlanOperand, &kPlanBox}) {
    if (refusal.rule == rule->name) return true;
  }
  return refusal.severity != Severity::error;
}

// Sums along rows have the same bits under every setting: what registers hold without a producer they hold beside it.
bool reduces_in_registers(const Draft& draft) {
  BlockFrame frame;
  std::string why;
  return suits_fragments(draft, frame, why) && frame.rows;
}

}  // namespace

const Diagnostic& first_error(const Diagnostics& said) {
  return *std::find_if(said.all().begin(), said.all().end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

bool plan_pipelined_blocks(Draft& draft) {
  const std::string why = beyond_fragments(*draft.kernel);
  if (!why.empty()) return PipelinedBlocks(draft, why).run();
  // Registers are tried first.
  Diagnostics said;
  Draft trial(draft.kernel, *draft.target, said);
  const bool planned = PipelinedBlocks(trial, {}).run();
  if (!planned && said.has_errors() && std::all_of(said.all().begin(), said.all().end(), is_of_body) &&
      !reduces_in_registers(draft))
    return PipelinedBlocks(draft, reason_of(*draft.kernel, first_error(said))).run();
  for (const Diagnostic& diagnostic : said.all()) draft.diagnostics.add(diagnostic);
  draft.plan = std::move(trial.plan);
  return planned;
}

}  // namespace pallasgen
