#include "matmul.h"

#include <fmt/format.h>

#include <algorithm>

#include "box_access.h"
#include "cost.h"
#include "epilogue.h"
#include "finish.h"
#include "matmul_form.h"
#include "matmul_limits.h"
#include "matmul_refusals.h"
#include "memory.h"
#include "registers.h"
#include "rings.h"
#include "tensor_copies.h"
#include "work.h"

namespace pallasgen {

namespace {

using namespace program;

class MatmulPlanner {
 public:
  MatmulPlanner(Draft& draft, const MatmulForm& form) : draft_(draft), kernel_(*draft.kernel), form_(form) {}

  bool run() {
    if (!check_settings() || !read_blocks()) return false;
    refs_ = epilogue_refs(draft_, form_);
    if (!refs_) return false;
    for (int output : refs_->outputs) {
      const bool staged = stored_by_tensor_copy(draft_, output);
      if (staged)
        shape_.store_bytes.push_back(info(draft_.ref(output).dtype).bits / 8);
      else
        ++shape_.epilogue.stores;
      tell_store(output, staged);
    }
    for (int input : refs_->inputs)
      ++(draft_.ref(input).shape.size() > 1 ? shape_.epilogue.blocks : shape_.epilogue.vectors);
    choose_warpgroups();
    choose_stages();
    if (const auto problem = matmul_problem(shape_, *draft_.target)) {
      refuse_matmul(draft_, form_, shape_, names(), *problem);
      return false;
    }
    return plan_work(draft_) && build();
  }

 private:
  bool check_settings() {
    const PipelineSettings& pipeline = kernel_.pipeline;
    if (!pipeline.warp_specialized.value) {
      draft_
          .refuse(kPlanSetting, pipeline.warp_specialized.given ? pipeline.warp_specialized.span : form_.dot_span,
                  "a dot without a producer of its own is not planned yet: it needs `warp_specialized: true`")
          .note("`pipeline: {stages: 4, warp_specialized: true, compute_warpgroups: 2}` works where it fits");
      return false;
    }
    if (pipeline.delay_release.value && *pipeline.delay_release.value > 1) {
      draft_
          .refuse(kPlanStages, pipeline.delay_release.span,
                  fmt::format("delay_release {} is not planned yet for a dot", *pipeline.delay_release.value))
          .note("delay_release 1 works");
      return false;
    }
    if (pipeline.stages.value && *pipeline.stages.value == 0) {
      draft_.refuse(kPlanStages, pipeline.stages.span, "stages: 0, but a dot reads its operands from shared memory")
          .note("`stages: auto` works");
      return false;
    }
    bool fine = true;
    for (int operand : {form_.a, form_.b}) {
      const Ref& ref = draft_.ref(operand);
      if (!ref.stages && !ref.delay_release) continue;
      draft_
          .refuse(
              kPlanSetting, ref.span,
              fmt::format("stages or delay_release of '{}' alone is not planned yet: a and b share a ring", ref.name))
          .note("`pipeline: {stages: …}` sets them for both");
      fine = false;
    }
    return fine;
  }

  // The block dims of the tile: m and k of a, n of b.
  const BlockDim& dim(int ref, int which) const {
    const Ref& r = draft_.ref(ref);
    int kept = 0;
    for (const BlockDim& d : r.block) {
      if (d.kind == BlockKind::squeezed) continue;
      if (kept++ == which) return d;
    }
    return r.block.back();
  }
  const BlockDim& m_dim() const { return dim(form_.a, form_.trans_a ? 1 : 0); }
  const BlockDim& k_dim() const { return dim(form_.a, form_.trans_a ? 0 : 1); }
  const BlockDim& n_dim() const { return dim(form_.b, form_.trans_b ? 0 : 1); }

  static std::string name_of_dim(const BlockDim& dim, const char* otherwise) {
    if (!dim.size_expr) return otherwise;
    if (const Constant* constant = dim.size_expr->as<Constant>())
      return constant->name.empty() ? otherwise : constant->name;
    return to_string(dim.size_expr);
  }
  MatmulNames names() const {
    return {name_of_dim(m_dim(), "m"), name_of_dim(n_dim(), "n"), name_of_dim(k_dim(), "k")};
  }

  bool read_blocks() {
    bool fine = true;
    for (int operand : {form_.a, form_.b}) {
      const Ref& ref = draft_.ref(operand);
      if (ref.block.back().kind == BlockKind::squeezed) {
        draft_.refuse(kPlanOperand, ref.block_span,
                      fmt::format("'{}' has a squeezed minor dim: not planned yet for a dot", ref.name));
        fine = false;
      } else if (ref.space == MemorySpace::reg || ref.space == MemorySpace::gmem) {
        draft_.refuse(kPlanOperand, ref.span,
                      fmt::format("'{}' is not copied to shared memory: not planned yet for a dot", ref.name));
        fine = false;
      } else {
        fine = check_tensor_copy(draft_, operand) && fine;
      }
    }
    if (!fine) return false;
    bm_ = number_of(m_dim());
    bn_ = number_of(n_dim());
    bk_ = number_of(k_dim());
    shape_.bm = bm_.value;
    shape_.bn = bn_.value;
    shape_.bk = bk_.value;
    shape_.element_bytes = info(draft_.ref(form_.a).dtype).bits / 8;
    shape_.major_a = form_.major_a();
    shape_.major_b = form_.major_b();
    return true;
  }

  void tell_store(int output, bool staged) {
    const Ref& ref = draft_.ref(output);
    if (staged) {
      draft_.decide("store of " + ref.name, "tensor copies from staging buffers",
                    fmt::format("its rows are whole 16-byte units: {} is a multiple of {}",
                                to_string(ref.array_shape.back()), needed_multiple(ref)));
      return;
    }
    if (ref.alias_of) {
      draft_.decide(
          "store of " + ref.name, "masked stores from registers",
          fmt::format("it is the buffer of '{}': a tensor copy would have to be fenced after threads read that",
                      draft_.ref(*ref.alias_of).name));
      return;
    }
    draft_.decide("store of " + ref.name, "masked stores from registers",
                  fmt::format("nothing says that its rows are whole 16-byte units: {}", pitch_remedy(draft_, output)));
    draft_.diagnostics
        .warning(kPlanScalarAccess, ref.type_span.source ? ref.type_span : ref.span,
                 fmt::format("'{}' is stored element by element: nothing says that its rows of {} elements are whole "
                             "16-byte units",
                             ref.name, to_string(ref.array_shape.back())))
        .note(pitch_remedy(draft_, output));
  }

  void choose_warpgroups() {
    const IntegerSetting& setting = kernel_.pipeline.compute_warpgroups;
    if (setting.value) {
      shape_.consumers = *setting.value;
      return;
    }
    // Two share the work of a tile well; what else fits otherwise.
    for (int64_t consumers : {2, 1, 3}) {
      MatmulShape other = shape_;
      other.consumers = consumers;
      other.stages = kernel_.pipeline.stages.value.value_or(1);
      shape_.consumers = consumers;
      if (!matmul_problem(other, *draft_.target)) break;
      shape_.consumers = 2;
    }
    draft_.decide("compute warpgroups", std::to_string(shape_.consumers), "chosen: the spec leaves it open");
  }

  void choose_stages() {
    const IntegerSetting& setting = kernel_.pipeline.stages;
    if (setting.value) {
      shape_.stages = *setting.value;
      return;
    }
    const int64_t fit = stages_that_fit(shape_, *draft_.target);
    const StepCost step = step_cost(*draft_.target, 2.0 * shape_.bm * shape_.bn * shape_.bk,
                                    static_cast<double>((shape_.bm + shape_.bn) * shape_.bk * shape_.element_bytes));
    const int64_t wanted = stages_to_hide_latency(step);
    shape_.stages = std::max<int64_t>(1, std::min(fit, wanted));
    draft_.decide(
        "stages", std::to_string(shape_.stages),
        fmt::format("modelled: a step takes {:.2f} us, a copy arrives after {:.2f} us, so {} would hide it; {} fit",
                    step.seconds() * 1e6, step.latency * 1e6, wanted, fit));
  }

  bool build() {
    Plan& plan = draft_.plan;
    plan.work.tile = {bm_, bn_, bk_};
    const int64_t delay = std::min<int64_t>(kernel_.pipeline.delay_release.value.value_or(1), shape_.stages - 1);
    draft_.decide("wgmma groups in flight", std::to_string(delay),
                  delay == 1           ? "the next step's group is issued before the last one's stage is released"
                  : shape_.stages == 1 ? "one stage: it must be released before the next step can arrive"
                                       : "the spec asks for delay_release 0");
    const Number stages = draft_.constant(constant_name::stages, shape_.stages, constant_line::stages);
    const Number consumers = draft_.constant(constant_name::consumers, shape_.consumers, constant_line::consumers);
    plan.launch.threads =
        draft_.constant(constant_name::threads, threads_with_producer(static_cast<int>(shape_.consumers)),
                        constant_line::threads, "128 * (1 + kConsumers)");
    rows_ = draft_.constant(constant_name::rows, shape_.rows_per_consumer(), constant_line::rows,
                            quotient(bm_, consumers).text);

    RingRequest request;
    request.operands = {{block_box(draft_, form_.a), swizzle_for(shape_.major_a, shape_.bm), shape_.major_a},
                        {block_box(draft_, form_.b), swizzle_for(shape_.major_b, shape_.bn), shape_.major_b}};
    request.axes = {form_.axis};
    request.slots = stages;
    request.consumers = consumers;
    request.delay = static_cast<int>(delay);
    const int ring = plan_ring(draft_, request);
    if (ring < 0) return false;
    for (const RingOperand& operand : plan.rings[ring].operands) tell_swizzle(operand);

    const Ref& acc = draft_.ref(form_.acc);
    plan.fragments.push_back({draft_.names().of(acc.name), DType::f32, wgmma_layout(rows_.value, bn_.value),
                              fmt::format("WgmmaLayout<{}, {}>", rows_.text, bn_.text)});
    const EpilogueFrame frame{form_,
                              0,
                              shape_.bn,
                              bn_,
                              rows_,
                              consumers,
                              staging_buffers(shape_, *draft_.target),
                              matmul_epilogue(shape_, *draft_.target)};
    std::optional<Statements> epilogue = plan_epilogue(draft_, frame);
    if (!epilogue) return false;
    tell_registers();

    plan.roles.push_back(producer_role(draft_, {ring}));
    plan.roles.push_back(consumer_role(ring, consumers, delay, std::move(*epilogue)));
    plan_registers(draft_, static_cast<int>(shape_.consumers));
    plan_memory(draft_);
    if (!check_memory(draft_, kernel_.pipeline.stages.span, "", {})) return false;  // matmul_problem found it first
    finish_roles(draft_);
    finish_launch(draft_);
    finish_constants(draft_);
    plan.cost =
        matmul_cost(draft_, {form_.axis, shape_.bm, shape_.bn, shape_.bk, shape_.stages, draft_.ref(form_.a).dtype});
    return true;
  }

  Swizzle swizzle_for(Major major, int64_t mn) const {
    return swizzle_of(widest_swizzle(*draft_.target, (major == Major::k ? shape_.bk : mn) * shape_.element_bytes));
  }

  void tell_swizzle(const RingOperand& operand) {
    const Ref& ref = draft_.ref(operand.ref);
    const int64_t width = ref.block.back().size * shape_.element_bytes;
    std::string reason = fmt::format("the widest that divides its rows of {} bytes", width);
    if (operand.slabs.value > 1)
      reason += fmt::format("; {} slabs of {}", operand.slabs.value, swizzle_bytes(operand.swizzle));
    draft_.decide(
        "swizzle of " + ref.name,
        fmt::format("{} bytes, {}-major", swizzle_bytes(operand.swizzle), operand.major == Major::k ? "K" : "MN"),
        reason);
  }

  void tell_registers() {
    const MatmulEpilogue epilogue = matmul_epilogue(shape_, *draft_.target);
    const ConsumerRegisters& registers = epilogue.registers;
    draft_.decide(
        "accumulator",
        fmt::format("{} x {} f32, {} registers of each thread", rows_.value, bn_.value, registers.accumulators),
        fmt::format("modelled: {} with all else, of {}", registers.needed(),
                    registers_available(*draft_.target, shape_.consumers)));
    draft_.decide("epilogue", fmt::format("{} columns at a time", epilogue.chunk),
                  "the most of 16 and 8 that divides a store and leaves the accumulator its registers");
  }

  Mma mma(int ring) const {
    const RingOperand& a = draft_.plan.rings[ring].operands[0];
    Mma mma{};
    mma.accumulator = 0;
    mma.ring_a = mma.ring_b = ring;
    mma.a = 0;
    mma.b = 1;
    mma.function = fmt::format("wgmma_m64n{}k16", bn_.value);
    mma.n = bn_;
    mma.k_steps = quotient(bk_, number(draft_.target->mma_k_bytes / shape_.element_bytes));
    mma.row_tile_rows = number(draft_.target->mma_rows);
    mma.row_tiles = rows_.value == mma.row_tile_rows.value ? number(1) : quotient(rows_, mma.row_tile_rows);
    if (shape_.consumers > 1) {
      mma.a_first = variable("row0");
      // K-major: rows of one slab; MN-major: columns, each as long as the block is deep.
      mma.a_offset = multiply(mma.a_first, to_index(a.major == Major::k ? a.slab_width : bk_));
    }
    mma.accumulate = Accumulate::not_first_step;
    mma.axis = form_.axis;
    return mma;
  }

  RolePlan consumer_role(int ring, const Number& consumers, int64_t delay, Statements epilogue) {
    const RingPlan& r = draft_.plan.rings[ring];
    const std::string k = kernel_.axes[form_.axis].name;
    const std::string a = draft_.ref(form_.a).name, b = draft_.ref(form_.b).name;
    Statements step;
    step.push_back(
        {fmt::format("{} and {} of step {} have arrived", a, b, k), false, BarrierWait{r.full, ring, false}});
    step.push_back({"", false, mma(ring)});
    if (delay > 0) {
      step.push_back({fmt::format("step {} - 1 has read its stage ...", k), false, MmaWait{number(delay)}});
      step.push_back({"... which is free again", false, Release{ring, ReleaseWhen::previous_step, form_.axis}});
    } else {
      step.push_back({fmt::format("step {} has read its stage ...", k), false, MmaWait{number(0), {0}}});
      step.push_back({"... which is free again", false, Release{ring, ReleaseWhen::now, form_.axis}});
    }
    Statements tile;
    tile.push_back({form_.dot->text, true, DeclareFragment{0}});
    tile.push_back({"", false, ForSteps{form_.axis, {ring}, std::move(step)}});
    if (delay > 0) {
      tile.push_back({"", false, MmaWait{number(0), {0}}});
      tile.push_back({"", false, Release{ring, ReleaseWhen::last_step, form_.axis}});
    }
    if (!steps_proved()) {
      const TypedPtr zero = make_typed({}, DType::f32, {}, Constant{0.0, {}});
      tile.push_back({"", false, FillIfNoStep{0, form_.axis, zero}});
    }
    for (Statement& statement : epilogue) tile.push_back(std::move(statement));
    RolePlan role;
    role.name = "consumer";
    role.first_warp = 4;
    role.warps = 4 * static_cast<int>(shape_.consumers);
    role.groups = consumers;
    role.rows_per_group = rows_;
    role.rings = {ring};
    role.purpose = fmt::format("{} x {} of the tile each; their epilogue is not overlapped", rows_.value, bn_.value);
    role.program.push_back({"", false, ForTiles{std::move(tile), {}}});
    for (size_t store = 0; store < draft_.plan.stores.size(); ++store) {
      role.stores.push_back(static_cast<int>(store));
    }
    if (!role.stores.empty())
      role.program.push_back({"shared memory outlives the last read", false, StoreDrain{role.stores.back()}});
    return role;
  }

  bool steps_proved() const {
    const Bounds steps = bounds(kernel_.axes[form_.axis].size, draft_.facts);
    return steps.minimum && *steps.minimum > 0;
  }

  Draft& draft_;
  const Kernel& kernel_;
  const MatmulForm& form_;
  MatmulShape shape_;
  std::optional<EpilogueRefs> refs_;
  Number bm_, bn_, bk_, rows_;
};

}  // namespace

bool plan_matmul(Draft& draft) {
  const std::optional<MatmulForm> form = matmul_form(draft);
  return form && MatmulPlanner(draft, *form).run();
}

}  // namespace pallasgen
