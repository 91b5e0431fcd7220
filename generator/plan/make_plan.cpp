#include <fmt/format.h>

#include "blocks.h"
#include "draft.h"
#include "matmul.h"
#include "matmul_form.h"
#include "pipelined_loops.h"
#include "work.h"

namespace pallasgen {

namespace {

std::vector<std::string> targets_with_mma() {
  std::vector<std::string> names;
  for (const Target& target : targets()) {
    if (target.mma != MmaPath::none) names.emplace_back(target.name);
  }
  return names;
}

}  // namespace

std::optional<Plan> make_plan(const Kernel& kernel, const std::string& target_name, Diagnostics& diagnostics) {
  const Target* target = find_target(target_name);
  if (!target) {
    std::vector<std::string> names;
    for (const Target& known : targets()) names.emplace_back(known.name);
    diagnostics
        .error(kPlanTarget, kernel.target_span.source ? kernel.target_span : kernel.span,
               fmt::format("'{}' is no target", target_name))
        .note(fmt::format("targets: {}", listed(names)));
    return std::nullopt;
  }
  const int before = diagnostics.errors();
  std::shared_ptr<const Kernel> planned_kernel = with_loop_as_axis(kernel);
  if (!planned_kernel) planned_kernel = std::make_shared<const Kernel>(kernel);
  Draft draft(planned_kernel, *target, diagnostics);
  const bool multiplies = has_dot(kernel);
  const bool by_elements = multiplies && !kernel.pipeline.warp_specialized.value;
  if (multiplies && !by_elements && target->mma == MmaPath::none) {
    draft
        .refuse(kPlanMmaPath, kernel.target_span.source ? kernel.target_span : kernel.span,
                fmt::format("no MMA path for {} yet", target->name))
        .note(fmt::format("`target: {}` works", listed(targets_with_mma(), "or")));
    return std::nullopt;
  }
  if (!check_supported(draft)) return std::nullopt;
  const bool planned = multiplies && !by_elements ? plan_matmul(draft) : plan_blocks(draft);
  if (!planned || diagnostics.errors() > before) return std::nullopt;
  return std::move(draft.plan);
}

}  // namespace pallasgen
