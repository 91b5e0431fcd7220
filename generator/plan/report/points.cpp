#include "plan/points.h"

#include <fmt/format.h>

#include <cmath>

#include "plan/words.h"
#include "program/index_terms.h"

namespace pallasgen {

namespace {

class PlanPoints {
 public:
  explicit PlanPoints(const Plan& plan) : plan_(plan) {}

  std::vector<PlanPoint> run() {
    add("target", std::string(plan_.target->name));
    add_work();
    for (const RolePlan& role : plan_.roles) add_role(role);
    for (const RingPlan& ring : plan_.rings) add_ring(ring);
    add("shared memory", fmt::format("{} of {} bytes", grouped(plan_.shared.total), grouped(plan_.shared.limit)));
    for (const SharedField& field : plan_.shared.fields)
      if (!field.is_barrier) add("shared memory of " + field.purpose, grouped(field.bytes) + " bytes");
    for (const BarrierPlan& barrier : plan_.barriers) {
      add("barriers " + barrier.name, std::to_string(barrier.slots.value));
      add(fmt::format("{} completes after", barrier.name), barrier.completes_after);
      add(barrier.name, fmt::format("{} arrive, {} wait", barrier.arrived_by, barrier.waited_by));
    }
    for (const Decision& decision : plan_.decisions) add(decision.subject, decision.choice);
    for (const Requirement& requirement : plan_.launch.requirements) add("the launcher checks", requirement.message);
    return std::move(points_);
  }

 private:
  void add(const std::string& subject, const std::string& text) { points_.push_back({subject, text}); }

  void add_work() {
    add("tile", plan_.work.tile.empty() ? "one element" : tile_text(plan_));
    add("programs", work_text(plan_));
    add("threads of a CTA", grouped(threads_of_cta(plan_)));
    if (plan_.launch.programs.value > 1) add("programs of a CTA", std::to_string(plan_.launch.programs.value));
    if (plan_.launch.cluster.value > 1) add("CTAs of a cluster", std::to_string(plan_.launch.cluster.value));
  }

  void add_role(const RolePlan& role) {
    const std::string name = "role " + (role.name.empty() ? "of every thread" : role.name);
    add(name, fmt::format("{}; {}", group_text(role), role.purpose));
    if (role.change != RegisterChange::none) add("registers of " + role.name, std::to_string(role.registers.value));
  }

  void add_ring(const RingPlan& ring) {
    std::vector<std::string> names;
    for (const RingOperand& operand : ring.operands) names.push_back(operand.name);
    const std::string name = joined(names, ", ");
    add("stages of " + name, fmt::format("{} of {} bytes", ring.slots.value, grouped(ring.bytes.value)));
    for (const RingOperand& operand : ring.operands) {
      std::string text = operand.way;
      if (operand.path == CopyPath::tensor) text += ", " + boxes_text(plan_, operand);
      add(fmt::format("{} of a stage", operand.name),
          fmt::format("{} bytes by {}", grouped(operand.bytes.value), text));
    }
  }

  const Plan& plan_;
  std::vector<PlanPoint> points_;
};

}  // namespace

std::vector<std::string> changed_costs(const CostModel& before, const CostModel& after) {
  std::vector<std::string> lines;
  const std::string from = microseconds(before.seconds), to = microseconds(after.seconds);
  if (before.dims != after.dims) {
    lines.push_back(fmt::format("  cost model ({}): {} for {} -> {} for {}; these cannot be compared", after.device,
                                from, dims_text(before), to, dims_text(after)));
  } else if (from == to) {
    lines.push_back(fmt::format("  cost model ({}; {}): {}, as before", after.device, dims_text(after), to));
  } else {
    const double ratio = after.seconds / before.seconds;
    lines.push_back(fmt::format("  cost model ({}; {}): {} -> {}, {} by {:.1f} %", after.device, dims_text(after), from,
                                to, ratio > 1 ? "worse" : "better", std::abs(ratio - 1) * 100));
  }
  const auto add = [&](const char* what, const std::string& old_text, const std::string& new_text) {
    if (old_text != new_text) lines.push_back(fmt::format("  {}: {} -> {}", what, old_text, new_text));
  };
  const auto bytes = [](double count) { return grouped(std::llround(count)); };
  add("verdict", bound_text(before.bound), bound_text(after.bound));
  add("bytes of a step", bytes(before.bytes_per_step), bytes(after.bytes_per_step));
  add("bytes under way at once in an SM", bytes(before.bytes_in_flight), bytes(after.bytes_in_flight));
  return lines;
}

std::vector<PlanPoint> plan_points(const Plan& plan) { return PlanPoints(plan).run(); }

}  // namespace pallasgen
