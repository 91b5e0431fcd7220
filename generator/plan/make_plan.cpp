#include <fmt/format.h>

#include "draft.h"
#include "pipelined_loops.h"
#include "plan/passes.h"
#include "plan_program.h"
#include "unplanned.h"
#include "work.h"

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

// One warning for each dot that the target's instructions do not multiply.
void warn_of_scalar_dots(Draft& draft, const tile::Program& program) {
  for (const tile::ScalarDot& dot : program.scalar_dots) {
    draft.decide("tensor cores", "none", dot.why);
    Diagnostic& warning = draft.diagnostics.warning(
        kPlanScalarDot, dot.span,
        fmt::format("a dot of {} goes element by element, without tensor cores: {}", name_of(dot.dtype), dot.why));
    for (const std::string& works : dot.works) warning.note(works + " works");
  }
}

}  // namespace

std::optional<Plan> make_plan(const Kernel& kernel, const std::string& target_name, Diagnostics& diagnostics) {
  const Target* target = target_named(kernel, target_name, diagnostics);
  if (!target) return std::nullopt;
  const int before = diagnostics.errors();
  std::shared_ptr<const Kernel> source = with_loop_as_axis(kernel);
  if (!source) source = std::make_shared<const Kernel>(kernel);
  Draft draft(source, *target, diagnostics);
  if (!check_supported(draft)) return std::nullopt;
  const tile::Program program = lower(draft.kernel, *target, passes().back().name);
  if (!report_refusals(program, diagnostics) || !check_pipeline(draft, program)) return std::nullopt;
  report_shortage(program, diagnostics);
  for (const tile::Refusal& warning : program.warnings) {
    Diagnostic& told = diagnostics.warning(*warning.rule, warning.span, warning.message);
    for (const std::string& note : warning.notes) told.note(note);
  }
  warn_of_scalar_dots(draft, program);
  if (program.shortage || !check_planned(draft, program) || !plan_program(draft, program) ||
      diagnostics.errors() > before)
    return std::nullopt;
  return std::move(draft.plan);
}

}  // namespace pallasgen
