#include "figures.h"

#include <fmt/format.h>

#include <cmath>

#include "plan/words.h"
#include "roofline.h"
#include "scale.h"

namespace pallasgen {

std::vector<KeyFigure> key_figures(const Plan& plan) {
  const CostModel& cost = plan.cost;
  const Roofline roofline = roofline_of(plan);
  const bool has_point = !roofline.points.empty();
  std::vector<std::string> stages, rings;
  for (const RingPlan& ring : plan.rings) {
    std::vector<std::string> names;
    for (const RingOperand& operand : ring.operands) names.push_back(operand.name);
    stages.push_back(std::to_string(ring.slots.value));
    rings.push_back(joined(names, ", "));
  }
  return {
      {"time by the model", microseconds(cost.seconds), "on " + cost.device},
      {"bound", bound_text(cost.bound), microseconds(cost.bubble_seconds) + " bubble"},
      {"operations", has_point ? rate_text(roofline.points.front().rate, "FLOP/s") : "none",
       has_point ? "on " + roofline.roofs[roofline.points.front().roof].name : "in the example"},
      {"device memory", rate_text(cost.seconds > 0 ? cost.memory_bytes / cost.seconds : 0, "B/s"),
       roofline.memory > 0 ? "of " + rate_text(roofline.memory, "B/s") : ""},
      {"tile", plan.work.tile.empty() ? "one element" : tile_text(plan),
       counted(threads_of_cta(plan), "thread") + " a CTA"},
      {"tiles", grouped(std::llround(cost.tiles)),
       fmt::format("of {}, in {:.2f} rounds", counted(std::llround(cost.steps), "step"), cost.waves)},
      {"stages", rings.empty() ? "none" : joined(stages, ", "),
       rings.empty() ? "nothing is copied ahead" : "of " + joined(rings, "; ")},
      {"shared memory", grouped(plan.shared.total), fmt::format("of {} bytes", grouped(plan.shared.limit))},
  };
}

}  // namespace pallasgen
