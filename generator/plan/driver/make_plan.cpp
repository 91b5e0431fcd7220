#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "check/rules.h"
#include "driver/decisions_as_planned.h"
#include "driver/plan_program.h"
#include "driver/tried_sizes.h"
#include "homes/lowering_limits.h"
#include "homes/program_memory.h"
#include "launch/work.h"
#include "plan/passes.h"
#include "plan/rules.h"
#include "plan/words.h"
#include "program/draft.h"
#include "questions/clusters.h"
#include "registers/fma_blocks.h"
#include "report/slow_paths.h"
#include "spec/allowed.h"

namespace pallasgen {

const Target* target_named(const Kernel& kernel, const std::string& name, Diagnostics& diagnostics) {
  const Target* target = find_target(name);
  if (target) return target;
  std::vector<std::string> names;
  for (const Target& known : targets()) names.emplace_back(known.name);
  diagnostics
      .error(kPlanTarget, kernel.target_span.source ? kernel.target_span : kernel.span,
             fmt::format("'{}' is no target", name))
      .note(fmt::format("targets: {}", listed(names)));
  return nullptr;
}

namespace {

// True if the target's instructions would multiply the dot at the precision that they have.
bool multiplies_at_precision(const Draft& draft, const tile::Choice& dot) {
  if (dot.precision.empty()) return false;
  const auto tried = std::make_shared<Kernel>(*draft.source);
  change_values(tried->body, [&](TypedPtr& value) {
    value = rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
      const Apply* product = node->applies(Op::dot);
      if (!product || !node->span.begins_as(dot.dot)) return nullptr;
      Apply rounded = *product;
      rounded.attributes.precision = dot.precision;
      return make_typed(node->span, node->dtype, node->shape, std::move(rounded));
    });
  });
  const tile::Program program = lower(PreparedKernel(tried, *draft.target), passes().back().name);
  return program.refusals.empty() && !program.shortage &&
         !tile::given_up(program, tile::ChoiceKind::instructions, dot.dot);
}

// Warns of each dot that the target's instructions do not multiply.
void warn_of_scalar_dots(Draft& draft, const tile::Program& program, bool with_remedies) {
  for (const tile::Choice& dot : tile::all_given_up(program, tile::ChoiceKind::instructions)) {
    draft.decide("tensor cores", "none", dot.why);
    int64_t threads = 0;
    const tile::Dot* blocks = product_at(program, dot.dot, threads);
    Diagnostic& warning =
        draft.diagnostics.warning(kPlanSlowPath, dot.dot,
                                  fmt::format("a dot of {} goes {}, without tensor cores: {}", name_of(dot.dtype),
                                              blocks ? blocks_text(*blocks, threads) : "element by element", dot.why));
    if (blocks)
      warning.note(fmt::format("each byte that threads read of shared memory serves {:.2g} multiply-adds",
                               products_per_byte(*blocks, threads)));
    else if (const auto* loops = tile::given_up(program, tile::ChoiceKind::blocks, dot.dot))
      warning.note("blocks in registers do not take it: " + loops->why);
    for (const std::string& works : dot.works) warning.note(works + " works");
    if (with_remedies && multiplies_at_precision(draft, dot))
      warning.note(fmt::format("`precision={}` works", dot.precision));
  }
}

// A loop that became an axis is pipelined through a ring, and its iterations are not unrolled.
void warn_of_idle_unroll(const PreparedKernel& prepared, Diagnostics& diagnostics) {
  const Kernel& kernel = *prepared.source();
  if (kernel.axes.size() == prepared.kernel()->axes.size()) return;
  for (const KernelStmt& stmt : kernel.body) {
    const ForStmt* loop = std::get_if<ForStmt>(&stmt.node);
    if (!loop || loop->unroll.value_or(1) == 1) continue;
    diagnostics
        .warning(kIdleUnroll, stmt.span,
                 fmt::format("'unroll: {}' changes nothing: the loop over '{}' is pipelined, and takes a stage a turn",
                             *loop->unroll, loop->name))
        .note("longer slices do more in a turn; `pipeline: {stages: 0}` leaves it a loop");
  }
}

std::optional<Plan> planned(const Kernel& kernel, const std::string& target_name, bool with_remedies,
                            Diagnostics& diagnostics, tile::Choices& choices);

}  // namespace

std::optional<Plan> tried_plan(const Kernel& kernel, const std::string& target_name) {
  Diagnostics unseen_diagnostics;
  tile::Choices of_change;
  return planned(kernel, target_name, false, unseen_diagnostics, of_change);
}

int64_t stages_that_plan(const Kernel& kernel, const std::string& target_name, int64_t most) {
  for (int64_t stages = most; stages > 0; --stages) {
    Kernel tried = kernel;
    std::optional<int64_t>& all = tried.pipeline.stages.value;
    if (all) all = std::min(*all, stages);
    for (Ref& ref : tried.refs) {
      if (ref.stages) ref.stages = std::min(*ref.stages, static_cast<int>(stages));
    }
    if (tried_plan(tried, target_name)) return stages;
  }
  return 0;
}

namespace {

// The program after the last pass. If it has clusters and the plan has statements that work within one CTA only, the
// program without clusters.
tile::Program lowered(const PreparedKernel& prepared, tile::Choices& choices) {
  tile::Program program = lower(prepared, passes().back().name, choices);
  if (computing_role(program).ctas == 1 || program.shortage || !program.refusals.empty()) return program;
  Diagnostics unseen_diagnostics;
  Draft attempt(prepared, unseen_diagnostics);
  if (!check_lowered(attempt, program) || !plan_program(attempt, program)) return program;
  const std::optional<std::string> why = why_clusters_fail(attempt.plan);
  if (!why) return program;
  choices.push_back({.kind = tile::ChoiceKind::cluster, .why = *why, .pass = "plan"});
  return lower(prepared, passes().back().name, choices);
}

// Bytes of shared memory that the choices reserve for what no pass counts.
int64_t bytes_reserved(const tile::Choices& choices) {
  const tile::Choice* memory = find_choice(choices, tile::ChoiceKind::memory);
  return memory ? memory->bytes : 0;
}
void reserve_bytes(tile::Choices& choices, int64_t bytes) {
  std::erase_if(choices, [](const tile::Choice& choice) { return choice.kind == tile::ChoiceKind::memory; });
  choices.push_back(
      {.kind = tile::ChoiceKind::memory, .bytes = bytes, .why = "the plan's statements take them", .pass = "plan"});
}

// One attempt at a plan, given `choices`. If it needs more shared memory than there is, run() adds to `choices` the
// bytes that no pass has counted.
struct Attempt {
  const PreparedKernel prepared;
  const bool with_remedies;

  std::optional<Plan> run(bool first, tile::Choices& choices, Diagnostics& diagnostics) const {
    const Kernel& kernel = *prepared.source();
    Draft draft(prepared, diagnostics);
    if (!check_supported(draft)) return std::nullopt;
    tile::Program program = lowered(prepared, choices);
    if (program.shortage && !first) return std::nullopt;
    if (!report_refusals(program, diagnostics)) {
      warn_of_scalar_dots(draft, program, false);  // they may be why
      return std::nullopt;
    }
    if (!check_pipeline(draft, program)) return std::nullopt;
    const std::string target_name(prepared.target().name);
    const int64_t fit =
        program.shortage && with_remedies ? stages_that_plan(kernel, target_name, program.shortage->stages) : 0;
    if (program.shortage && program.shortage->works.empty() && fit == 0 && with_remedies)
      program.shortage->works = sizes(program);
    report_shortage(program, fit, diagnostics);
    for (const tile::Refusal& warning : program.warnings) {
      Diagnostic& told = diagnostics.warning(*warning.rule, warning.span, warning.message);
      for (const std::string& note : warning.notes) told.note(note);
    }
    // Nobody reads the remedies of a warning that the spec allows.
    const bool shown = !kernel.spec || !is_allowed(*kernel.spec, kPlanSlowPath.name);
    warn_of_scalar_dots(draft, program, with_remedies && shown);
    if (program.shortage || !check_lowered(draft, program)) return std::nullopt;
    Remedies remedies;
    if (with_remedies && first)
      remedies = {[&](int64_t most) { return stages_that_plan(kernel, target_name, most); },
                  [&] { return sizes(program); }};
    const bool fine = plan_program(draft, program, remedies);
    const SharedMemory& shared = draft.plan.shared;
    if (!fine && shared.total > shared.limit) {
      const int64_t counted = memory_of(program).total() - bytes_reserved(program.choices);
      reserve_bytes(choices, shared.total - bytes_of_tiles(program) - counted);
    }
    if (!fine || diagnostics.has_errors()) return std::nullopt;
    if (with_remedies) {
      correct_decisions(draft);
      const auto try_plan = [&](const Kernel& tried) { return tried_plan(tried, target_name); };
      warn_of_slow_paths(draft, program, kernel, shown ? TryPlan(try_plan) : nullptr);
    }
    draft.plan.lowered = std::make_shared<const Lowered>(Lowered{prepared, choices, std::move(program)});
    return std::move(draft.plan);
  }

  // Block sizes ("bn 192") with which the kernel can be planned without more warnings than the program has. None if the
  // warning of a dot without tensor cores names numbers: then the dot's operands are what needs memory.
  std::vector<std::string> sizes(const tile::Program& program) const {
    const tile::Choices dots = tile::all_given_up(program, tile::ChoiceKind::instructions);
    if (std::any_of(dots.begin(), dots.end(), [](const tile::Choice& dot) { return !dot.works.empty(); })) return {};
    const PlanWarnings warnings = [&](const Kernel& tried) -> std::optional<size_t> {
      Diagnostics unseen_diagnostics;
      tile::Choices of_change;
      if (!planned(tried, std::string(prepared.target().name), false, unseen_diagnostics, of_change))
        return std::nullopt;
      return unseen_diagnostics.all().size();
    };
    return sizes_that_plan(*prepared.source(), warnings, program.warnings.size() + dots.size());
  }
};

std::optional<Plan> planned(const Kernel& kernel, const std::string& target_name, bool with_remedies,
                            Diagnostics& diagnostics, tile::Choices& choices) {
  const Target* target = target_named(kernel, target_name, diagnostics);
  if (!target) return std::nullopt;
  const Attempt attempt{PreparedKernel(std::make_shared<const Kernel>(kernel), *target), with_remedies};
  if (with_remedies) warn_of_idle_unroll(attempt.prepared, diagnostics);
  Diagnostics of_plan;
  std::optional<Plan> plan = attempt.run(true, choices, of_plan);
  // Each attempt reserves more bytes, so the loop ends. If no attempt has a plan, the first one's errors remain.
  for (int64_t counted = 0; !plan && bytes_reserved(choices) > counted;) {
    counted = bytes_reserved(choices);
    Diagnostics of_attempt;
    plan = attempt.run(false, choices, of_attempt);
    if (plan) of_plan = std::move(of_attempt);
  }
  for (const Diagnostic& diagnostic : of_plan.all()) diagnostics.add(diagnostic);
  return plan;
}

}  // namespace

std::optional<Plan> plan_of(const PreparedKernel& prepared, const tile::Program& program, Diagnostics& diagnostics,
                            const AfterStep& after) {
  Draft draft(prepared, diagnostics);
  if (!check_supported(draft) || !check_pipeline(draft, program) || !check_lowered(draft, program)) return std::nullopt;
  if (!plan_program(draft, program, {}, after) || diagnostics.has_errors()) return std::nullopt;
  draft.plan.lowered = std::make_shared<const Lowered>(Lowered{prepared, program.choices, program});
  return std::move(draft.plan);
}

std::optional<Plan> make_plan(const Kernel& kernel, const std::string& target_name, Diagnostics& diagnostics) {
  tile::Choices choices;
  return planned(kernel, target_name, true, diagnostics, choices);
}

tile::Choices choices_of_plan(const Kernel& kernel, const std::string& target_name) {
  Diagnostics unseen_diagnostics;
  tile::Choices choices;
  return planned(kernel, target_name, false, unseen_diagnostics, choices) ? choices : tile::Choices{};
}

}  // namespace pallasgen
