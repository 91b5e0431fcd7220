#include <fmt/format.h>

#include "check/gradients.h"
#include "draft.h"
#include "timeline.h"
#include "words.h"

namespace pallasgen {

namespace {

void write_roles(const Plan& plan, std::string& text) {
  text += "roles\n";
  for (const RolePlan& role : plan.roles) {
    const std::string name = role.name.empty() ? "every thread" : role.name;
    text += fmt::format("  {} ({}): {}", name, group_text(role), role.purpose);
    if (role.change != RegisterChange::none)
      text += fmt::format("; {} registers a thread by setmaxnreg", role.registers.value);
    text += "\n";
  }
}

void write_rings(const Plan& plan, std::string& text) {
  if (plan.rings.empty()) return;
  text += "rings\n";
  for (const RingPlan& ring : plan.rings) {
    text += fmt::format("  {}\n", ring_text(plan, ring));
    text += fmt::format("  moves on {}; {}\n",
                        ring.moves_on.empty() ? "with the tile" : listed(axis_names(plan, ring.moves_on)), ring.path);
    for (const RingOperand& operand : ring.operands) {
      const std::string swizzle = operand.swizzle == Swizzle::none
                                      ? "not swizzled"
                                      : fmt::format("swizzled over {} bytes", swizzle_bytes(operand.swizzle));
      if (operand.path != CopyPath::tensor) {
        text += fmt::format("    {}: {}, {}\n", operand.name, operand.way, swizzle);
        continue;
      }
      text += fmt::format("    {}: {} a stage, {}\n", operand.name, boxes_text(plan, operand), swizzle);
    }
  }
}

void write_memory(const Plan& plan, std::string& text) {
  text += "shared memory\n";
  if (plan.shared.fields.empty()) {
    text += "  none\n";
    return;
  }
  for (const SharedField& field : plan.shared.fields)
    text += fmt::format("  {:>9} at {:>9}  {}\n", grouped(field.bytes), grouped(field.offset),
                        field.is_barrier ? "barrier " + field.name : field.purpose);
  if (plan.shared.padding > 0) text += fmt::format("  {:>9} {:>12}  padding\n", grouped(plan.shared.padding), "");
  text += fmt::format("  {:>9} of {} bytes, {:.1f} % of what a CTA may have\n", grouped(plan.shared.total),
                      grouped(plan.shared.limit),
                      100.0 * static_cast<double>(plan.shared.total) / static_cast<double>(plan.shared.limit));
}

void write_barriers(const Plan& plan, std::string& text) {
  if (plan.barriers.empty()) return;
  text += "barriers\n";
  for (const BarrierPlan& barrier : plan.barriers) {
    text += fmt::format("  {}[{}] completes after {}; {} arrive, {} wait: {}\n", barrier.name, barrier.slots.value,
                        barrier.completes_after, barrier.arrived_by, barrier.waited_by, barrier.means);
  }
}

void write_cost(const Plan& plan, std::string& text) {
  const CostModel& cost = plan.cost;
  text += fmt::format("cost model ({}; a model, nothing was measured)\n", cost.device);
  if (!cost.dims.empty()) text += fmt::format("  for {}\n", dims_text(cost));
  text +=
      fmt::format("  {:.0f} tiles of {:.0f} steps in {:.2f} rounds over the SMs\n", cost.tiles, cost.steps, cost.waves);
  std::vector<std::string> does{grouped(std::llround(cost.bytes_per_step)) + " bytes"};
  if (cost.touched_per_step > cost.bytes_per_step)
    does.push_back(grouped(std::llround(cost.touched_per_step)) + " of sectors");
  if (cost.operations_per_step > 0)
    does.push_back(grouped(std::llround(cost.operations_per_step)) + " operations of tensor cores");
  if (cost.instructions_per_step > 0)
    does.push_back(grouped(std::llround(cost.instructions_per_step)) + " instructions of other cores");
  text += fmt::format("  one step of a CTA: {}; arithmetic {}, transfer {}, latency {}\n", joined(does, ", "),
                      microseconds(cost.rate_seconds), microseconds(cost.bandwidth_seconds),
                      microseconds(cost.latency_seconds));
  if (cost.by_data) text += "  data say how long some loops are: each counts as one turn\n";
  text += fmt::format("  an SM has {} bytes under way at once", grouped(std::llround(cost.bytes_in_flight)));
  text += cost.tile_seconds > 0 ? fmt::format("; a tile takes {} besides its steps\n", microseconds(cost.tile_seconds))
                                : "\n";
  text += fmt::format(
      "  verdict: {}; about {} in all, of which {} are bubble (filling the pipeline, idle SMs in the last "
      "round)\n",
      bound_text(cost.bound), microseconds(cost.seconds), microseconds(cost.bubble_seconds));
  text += fmt::format("  what would move it: {}\n", cost.moved_by);
}

}  // namespace

std::string explain(const Plan& plan) {
  std::string text = fmt::format("{} for {}\n", plan.kernel->name, plan.target->name);
  text += fmt::format(
      "work\n  tile {}; {}\n  {} a CTA, {}\n", plan.work.tile.empty() ? "of one element" : tile_text(plan),
      work_text(plan), counted(plan.launch.threads.value, "thread"),
      plan.launch.persistent ? "as many CTAs as SMs, at most one per tile" : workers_text(plan) + " per tile");
  write_roles(plan, text);
  write_rings(plan, text);
  write_memory(plan, text);
  write_barriers(plan, text);
  text += "decisions\n";
  for (const Decision& decision : plan.decisions)
    text += fmt::format("  {}: {} ({})\n", decision.subject, decision.choice, decision.reason);
  if (!plan.launch.requirements.empty() || !plan.launch.late_requirements.empty()) {
    text += "the launcher checks\n";
    for (const auto* list : {&plan.launch.requirements, &plan.launch.late_requirements}) {
      for (const Requirement& requirement : *list)
        text += fmt::format("  {}\n",
                            requirement.message == "negative extent" ? "no extent is negative" : requirement.message);
    }
  }
  const std::vector<std::string> gradients = gradient_lines(*plan.kernel);
  if (!gradients.empty()) text += "gradient\n";
  for (const std::string& line : gradients) text += fmt::format("  {}\n", line);
  write_cost(plan, text);
  text += timeline_text(plan);
  return text;
}

}  // namespace pallasgen
