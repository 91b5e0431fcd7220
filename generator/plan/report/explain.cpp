#include <fmt/format.h>

#include "check/gradients.h"
#include "plan/sections.h"
#include "plan/timeline.h"
#include "plan/words.h"
#include "program/index_terms.h"

namespace pallasgen {

namespace {

using Lines = std::vector<std::string>;

Lines role_lines(const Plan& plan) {
  Lines lines;
  for (const RolePlan& role : plan.roles) {
    const std::string name = role.name.empty() ? "every thread" : role.name;
    std::string line = fmt::format("{} ({}): {}", name, group_text(role), role.purpose);
    if (role.change != RegisterChange::none)
      line += fmt::format("; {} registers a thread by setmaxnreg", role.registers.value);
    lines.push_back(std::move(line));
  }
  return lines;
}

Lines ring_lines(const Plan& plan) {
  Lines lines;
  for (const RingPlan& ring : plan.rings) {
    lines.push_back(ring_text(plan, ring));
    lines.push_back(fmt::format("moves on {}; {}",
                                ring.moves_on.empty() ? "with the tile" : listed(axis_names(plan, ring.moves_on)),
                                ring.path));
    for (const RingOperand& operand : ring.operands) {
      const std::string swizzle = operand.swizzle == Swizzle::none
                                      ? "not swizzled"
                                      : fmt::format("swizzled over {} bytes", swizzle_bytes(operand.swizzle));
      const bool boxes = operand.path == CopyPath::tensor;
      lines.push_back(fmt::format("  {}: {}{}, {}", operand.name, boxes ? boxes_text(plan, operand) : operand.way,
                                  boxes ? " a stage" : "", swizzle));
    }
  }
  return lines;
}

Lines memory_lines(const Plan& plan) {
  if (plan.shared.fields.empty()) return {"none"};
  Lines lines;
  for (const SharedField& field : plan.shared.fields)
    lines.push_back(fmt::format("{:>9} at {:>9}  {}", grouped(field.bytes), grouped(field.offset),
                                field.is_barrier ? "barrier " + field.name : field.purpose));
  if (plan.shared.padding > 0) lines.push_back(fmt::format("{:>9} {:>12}  padding", grouped(plan.shared.padding), ""));
  lines.push_back(fmt::format("{:>9} of {} bytes, {:.1f} % of what a CTA may have", grouped(plan.shared.total),
                              grouped(plan.shared.limit),
                              100.0 * static_cast<double>(plan.shared.total) / static_cast<double>(plan.shared.limit)));
  return lines;
}

Lines barrier_lines(const Plan& plan) {
  Lines lines;
  for (const BarrierPlan& barrier : plan.barriers)
    lines.push_back(fmt::format("{}[{}] completes after {}; {} arrive, {} wait: {}", barrier.name, barrier.slots.value,
                                barrier.completes_after, barrier.arrived_by, barrier.waited_by, barrier.means));
  return lines;
}

Lines requirement_lines(const Plan& plan) {
  Lines lines;
  for (const Requirement& requirement : plan.launch.requirements)
    lines.push_back(requirement.message == "negative extent" ? "no extent is negative" : requirement.message);
  return lines;
}

Lines cost_lines(const Plan& plan) {
  const CostModel& cost = plan.cost;
  Lines lines;
  if (!cost.dims.empty()) lines.push_back("for " + dims_text(cost));
  lines.push_back(fmt::format("{} of {} in {:.2f} rounds over the SMs", counted(std::llround(cost.tiles), "tile"),
                              counted(std::llround(cost.steps), "step"), cost.waves));
  Lines does{grouped(std::llround(cost.bytes_per_step)) + " bytes"};
  if (cost.touched_per_step > cost.bytes_per_step)
    does.push_back(grouped(std::llround(cost.touched_per_step)) + " of sectors");
  if (cost.operations_per_step > 0)
    does.push_back(grouped(std::llround(cost.operations_per_step)) + " operations of tensor cores");
  if (cost.instructions_per_step > 0)
    does.push_back(grouped(std::llround(cost.instructions_per_step)) + " instructions of other cores");
  lines.push_back(fmt::format("one step of a {}: {}; arithmetic {}, transfer {}, latency {}", worker_text(plan),
                              joined(does, ", "), microseconds(cost.rate_seconds), microseconds(cost.bandwidth_seconds),
                              microseconds(cost.latency_seconds)));
  if (cost.by_data) lines.emplace_back("data say how long some loops are: each counts as one turn");
  lines.push_back(fmt::format("an SM has {} bytes under way at once{}", grouped(std::llround(cost.bytes_in_flight)),
                              cost.tile_seconds > 0
                                  ? fmt::format("; a tile takes {} besides its steps", microseconds(cost.tile_seconds))
                                  : ""));
  lines.push_back(fmt::format(
      "verdict: {}; about {} in all, of which {} are bubble (filling the pipeline, idle SMs in the last round)",
      bound_text(cost.bound), microseconds(cost.seconds), microseconds(cost.bubble_seconds)));
  lines.push_back("what would move it: " + cost.moved_by);
  return lines;
}

// The features that candidates before this plan could not have, in the order of their refusals.
Lines candidate_lines(const Plan& plan) {
  Lines lines;
  if (!plan.lowered) return lines;
  const tile::Program& program = plan.lowered->program;
  for (const tile::Choice& choice : program.choices) {
    if (choice.pass.empty()) continue;
    std::string of;
    if (choice.ref >= 0) of = fmt::format(" of '{}'", program.ref(choice.ref).name);
    if (choice.dot.source)
      of = fmt::format(" of the dot in line {}", choice.dot.source->position(choice.dot.begin).line);
    lines.push_back(
        fmt::format("with {}{}: refused by '{}' ({})", row_of(choice.kind).words, of, choice.pass, choice.why));
  }
  if (!lines.empty())
    lines.push_back(fmt::format("without {}: this plan", lines.size() == 1 ? "that" : "all of these"));
  return lines;
}

}  // namespace

std::vector<PlanSection> plan_sections(const Plan& plan) {
  std::vector<PlanSection> sections;
  const auto add = [&](std::string title, Lines lines) {
    if (!lines.empty()) sections.push_back({std::move(title), std::move(lines)});
  };
  const std::string tile = plan.work.tile.empty() ? "of one element" : tile_text(plan);
  add("work", {fmt::format("tile {}; {}", tile, work_text(plan)),
               fmt::format("{} a {}, {}", counted(plan.launch.threads.value, "thread"),
                           plan.launch.programs.value > 1 ? "program" : "CTA",
                           plan.launch.persistent ? "as many CTAs as SMs, at most one per tile"
                                                  : workers_text(plan) + " per tile")});
  add("roles", role_lines(plan));
  add("rings", ring_lines(plan));
  add("shared memory", memory_lines(plan));
  add("barriers", barrier_lines(plan));
  Lines decisions;
  for (const Decision& decision : plan.decisions)
    decisions.push_back(fmt::format("{}: {} ({})", decision.subject, decision.choice, decision.reason));
  sections.push_back({"decisions", std::move(decisions)});
  add("candidates", candidate_lines(plan));
  add("the launcher checks", requirement_lines(plan));
  add("gradient", gradient_lines(*plan.kernel));
  add(fmt::format("cost model ({}; a model, nothing was measured)", plan.cost.device), cost_lines(plan));
  return sections;
}

std::string explain(const Plan& plan) {
  std::string text = fmt::format("{} for {}\n", plan.kernel->name, plan.target->name);
  for (const PlanSection& section : plan_sections(plan)) {
    text += section.title + "\n";
    for (const std::string& line : section.lines) text += "  " + line + "\n";
  }
  return text + timeline_text(plan);
}

}  // namespace pallasgen
