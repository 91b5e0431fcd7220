#include <fmt/format.h>

#include "blocks.h"
#include "dots.h"
#include "draft.h"
#include "matmul_form.h"
#include "pipelined_loops.h"
#include "plan/passes.h"
#include "plan_program.h"
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

std::optional<Plan> make_plan(const Kernel& kernel, const std::string& target_name, Diagnostics& diagnostics) {
  const Target* target = target_named(kernel, target_name, diagnostics);
  if (!target) return std::nullopt;
  const int before = diagnostics.errors();
  std::shared_ptr<const Kernel> source = with_loop_as_axis(kernel);
  if (!source) source = std::make_shared<const Kernel>(kernel);
  Draft direct(source, *target, diagnostics);
  if (!check_supported(direct)) return std::nullopt;
  const tile::Program program = lower(direct.kernel, *target, passes().back().name);
  if (!report_refusals(program, diagnostics)) return std::nullopt;
  const std::string missing = not_yet(program);
  if (missing.empty()) {
    if (!plan_program(direct, program) || diagnostics.errors() > before) return std::nullopt;
    return std::move(direct.plan);
  }
  if (!check_orders(direct, program, missing)) return std::nullopt;
  Draft draft(source, *target, diagnostics);
  const bool planned =
      has_dot(kernel) && kernel.pipeline.warp_specialized.value ? plan_dots(draft, program) : plan_blocks(draft);
  if (!planned || diagnostics.errors() > before) return std::nullopt;
  return std::move(draft.plan);
}

}  // namespace pallasgen
