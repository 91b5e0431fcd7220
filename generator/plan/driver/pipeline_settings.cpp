#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "launch/work.h"
#include "plan/passes.h"
#include "plan/rules.h"
#include "plan/words.h"
#include "questions/row_orders.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kMostDelay = 1;          // steps that a producer's slots may be kept longer
constexpr int64_t kMostComputeGroups = 7;  // with a producer, in a CTA of 1,024 threads

class PipelineChecks {
 public:
  PipelineChecks(Draft& draft, const tile::Program& program)
      : draft_(draft), kernel_(*draft.kernel), settings_(kernel_.pipeline), program_(program) {}

  bool run() {
    const int before = draft_.diagnostics.errors();
    if (settings_.warp_specialized.value)
      with_producer();
    else if (settings_.compute_warpgroups.value && program_.honoured.count("pipeline.compute_warpgroups") == 0)
      refuse(kPlanSetting, settings_.compute_warpgroups.span,
             "`compute_warpgroups` counts the warpgroups beside a producer or of matrix instructions, and the kernel "
             "has none",
             draft_.target->tma && plans_with([](Kernel& tried) { tried.pipeline.warp_specialized.value = true; })
                 ? "`warp_specialized: true` beside it works; without it the plan chooses the threads"
                 : "without it the plan chooses the threads");
    if (settings_.prefetch.value.value_or(0) > 0 && program_.honoured.count("pipeline.prefetch") == 0)
      refuse(kPlanSetting, settings_.prefetch.span,
             fmt::format("prefetch: {}, but {}", *settings_.prefetch.value, why_no_prefetch()), "`prefetch: 0` works");
    if (draft_.diagnostics.errors() == before && !has_copies()) nothing_copied();
    for (const tile::Channel& channel : program_.channels) slots_of(channel);
    // Passes that run out of memory end before it is decided how rows are reduced.
    if (!program_.shortage && (has_several_roles(program_) || settings_.compute_warpgroups.value)) keep_order();
    return draft_.diagnostics.errors() == before;
  }

 private:
  void refuse(const Rule& rule, Span span, const std::string& message, const std::string& works) {
    draft_.refuse(rule, span.source ? span : kernel_.span, message).note(works);
  }

  // True if the kernel has a plan after `change`.
  bool plans_with(const std::function<void(Kernel&)>& change) const {
    Kernel tried = *draft_.source;
    change(tried);
    return tried_plan(tried, std::string(draft_.target->name)).has_value();
  }

  void with_producer() {
    if (!draft_.target->tma)
      refuse(kPlanSetting, settings_.warp_specialized.span,
             fmt::format("`warp_specialized: true` needs tensor copies, which {} does not have", draft_.target->name),
             "`pipeline: {stages: 0}` works");
    if (settings_.stages.value == 0)
      refuse(kPlanStages, settings_.stages.span, "stages: 0 leaves a producer nothing to do",
             plans_with([](Kernel& tried) { tried.pipeline.stages = {std::nullopt, true, {}}; })
                 ? "`stages: auto` works; so does `warp_specialized: false`"
                 : "`warp_specialized: false` works");
  }

  // True if copies that may run ahead bring some block: a producer's, or those of steps.
  bool has_copies() const {
    bool found = false;
    for (const tile::Role& role : program_.roles) {
      for_each_statement(role.body, [&](const tile::Statement& statement) {
        const auto* put = statement.as<tile::Put>();
        if (!put || put->value) return;
        const tile::Channel& channel = program_.channel(put->entry.channel);
        found = found || channel.from != channel.to || !channel.moves.empty();
      });
    }
    return found;
  }

  std::string why_no_prefetch() const {
    if (settings_.stages.value == 0) return "`stages: 0` has no block copied ahead";
    if (role_with(program_, &tile::Duties::copies)) return "a producer copies the blocks, as far ahead as it has slots";
    if (!has_copies()) return why_no_copy();
    return "no block that the threads copy ahead has a place that is known so early: memory says where it lies";
  }

  // Refuses a producer or stages if there is no block that they could copy.
  void nothing_copied() {
    const std::string why = why_no_copy();
    if (settings_.warp_specialized.value)
      return refuse(kPlanSetting, settings_.warp_specialized.span, "`warp_specialized: true`, but " + why,
                    "`pipeline: {stages: 0}` works");
    const auto own = std::find_if(kernel_.refs.begin(), kernel_.refs.end(),
                                  [](const Ref& ref) { return ref.stages.value_or(0) > 0; });
    const int64_t all = settings_.stages.value.value_or(0);
    if (all == 0 && own == kernel_.refs.end()) return;
    refuse(kPlanSetting, all > 0 ? settings_.stages.span : own->span,
           fmt::format("stages: {}, but {}: there is nothing to copy ahead", all > 0 ? all : *own->stages, why),
           "`stages: 0` works");
  }
  std::string why_no_copy() const {
    for (size_t i = 0; i < kernel_.refs.size(); ++i) {
      const Ref& ref = kernel_.refs[i];
      if (ref.role != RefRole::input || is_view(ref)) continue;
      if (is_packed(ref.dtype))
        return fmt::format(
            "nothing says that rows of '{}', whose elements share bytes, are whole bytes: {} must be a "
            "known multiple of 2",
            ref.name, ref.array_shape.empty() ? "its size" : to_string(ref.array_shape.back()));
      if (const auto* known = tile::given_up(program_, tile::ChoiceKind::copies, static_cast<int>(i)))
        return fmt::format("no copy brings '{}': {}", ref.name, known->why);
    }
    return "no input moves with the steps and is read whole in each";
  }

  // Refuses warpgroups under which a row of floats would be reduced in another order than without the pipeline.
  void keep_order() const {
    const std::vector<RowOrder> now = row_orders(program_);
    if (now.empty()) return;
    auto without = std::make_shared<Kernel>(*draft_.source);
    without->pipeline = {};
    for (Ref& ref : without->refs) ref.stages = ref.delay_release = std::nullopt;
    const std::vector<RowOrder> wanted = orders_of(without);
    const std::optional<OtherOrder> differs = other_order(wanted, now);
    if (!differs) return;
    std::vector<std::string> groups;
    for (int64_t n = 1; n <= kMostComputeGroups; ++n) {
      auto tried = std::make_shared<Kernel>(*draft_.source);
      tried->pipeline.compute_warpgroups.value = n;
      const std::vector<RowOrder> other = orders_of(tried);
      const bool alike = !other.empty() && !other_order(wanted, other);
      const auto so_many = [n](Kernel& tried) { tried.pipeline.compute_warpgroups.value = n; };
      if (alike && plans_with(so_many)) groups.push_back(std::to_string(n));
    }
    const IntegerSetting& given = settings_.compute_warpgroups;
    Diagnostic& refusal = draft_.refuse(
        kPlanSetting, given.value ? given.span : settings_.warp_specialized.span,
        fmt::format(
            "a row would be reduced by {}, which is reduced by {} without the pipeline: the bits would be others",
            text_of(differs->other), text_of(differs->wanted)));
    refusal.note(differs->wanted.reduction, "it is reduced here");
    const auto alone = [](Kernel& tried) {
      tried.pipeline.warp_specialized.value = false;
      tried.pipeline.compute_warpgroups = {};
    };
    refusal.note(!groups.empty()     ? fmt::format("`compute_warpgroups: {}` works", fmt::join(groups, "` or `"))
                 : plans_with(alone) ? "`warp_specialized: false` works"
                                     : "`pipeline: {stages: 0}` works");
  }

  // The orders in which the kernel's rows are reduced; none if it has no program.
  std::vector<RowOrder> orders_of(const std::shared_ptr<const Kernel>& kernel) const {
    const tile::Program program = lower(PreparedKernel(kernel, *draft_.target), passes().back().name);
    return program.shortage || !program.refusals.empty() ? std::vector<RowOrder>() : row_orders(program);
  }
  static std::string text_of(const RowOrder& order) {
    return order.lanes == 0 ? "warps, element by element" : counted(order.lanes, "thread");
  }

  void slots_of(const tile::Channel& channel) {
    if (channel.delay == 0 || channel.members.empty()) return;
    const auto named = std::find_if(kernel_.refs.begin(), kernel_.refs.end(),
                                    [&](const Ref& ref) { return ref.name == channel.members.front().name; });
    if (named == kernel_.refs.end()) return;
    const Span all = settings_.delay_release.span;
    const Span span = named->delay_release || !all.source ? named->span : all;
    if (channel.slots.value_or(channel.delay + 1) <= channel.delay)
      return refuse(kPlanStages, span,
                    fmt::format("'{}' keeps a slot for {} more, and its ring has only {}", named->name,
                                counted(channel.delay, "step"), *channel.slots),
                    fmt::format("{} slots are enough", channel.delay + 1));
    if (channel.from != channel.to && channel.delay > kMostDelay)
      refuse(kPlanStages, span,
             fmt::format("'{}' with delay_release {} is not planned yet beside a producer", named->name, channel.delay),
             "a delay of 0 or 1 is taken");
  }

  Draft& draft_;
  const Kernel& kernel_;
  const PipelineSettings& settings_;
  const tile::Program& program_;
};

}  // namespace

bool check_pipeline(Draft& draft, const tile::Program& program) { return PipelineChecks(draft, program).run(); }

}  // namespace pallasgen
