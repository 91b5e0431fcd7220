#include "driver/plan_program.h"

#include <algorithm>
#include <utility>

#include "driver/lowering.h"
#include "driver/plan_steps.h"
#include "launch/work.h"
#include "layout/warps.h"
#include "plan/passes.h"
#include "program/constant_names.h"
#include "program/numbers.h"
#include "proofs/value_sizes.h"
#include "questions/blocks.h"
#include "questions/clusters.h"
#include "questions/instructions.h"
#include "questions/role_plans.h"
#include "registers/live_registers.h"
#include "rings/channel_rings.h"
#include "rings/role_rings.h"
#include "tile/loop_facts.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// Indices of the roles in planning order: roles that store what others write come last.
std::vector<size_t> in_order_of_plans(const tile::Program& program) {
  std::vector<size_t> places;
  for (const bool storers : {false, true}) {
    for (size_t i = 0; i < program.roles.size(); ++i) {
      if (program.roles[i].duties.stores == storers) places.push_back(i);
    }
  }
  return places;
}

}  // namespace

bool plan_program(Draft& draft, const tile::Program& program, const Remedies& remedies, const AfterStep& after) {
  Plan& plan = draft.plan;
  const SymbolFacts known = tile::facts_with_loops(program);
  draft.facts.multiple_of = known.multiple_of;
  draft.facts.minimum = [own = draft.facts.minimum, all = known.minimum](const Symbol& symbol) {
    const std::optional<int64_t> here = own(symbol);
    return here ? here : all(symbol);
  };
  draft.facts.value = known.value;
  decide_cluster(draft, program);
  if (!plan_work(draft)) return false;
  draft.value_sizes = value_sizes(draft, program);
  plan.work.tile = tile_of_program(*draft.kernel);
  const tile::Role& computing = computing_role(program);
  const bool only = !has_several_roles(program);
  const int64_t groups = computing.warpgroups(), all_warps = tile::total_warps(program);
  const bool divided = !only || groups_apart(program, computing) > 1;
  const Number consumers =
      divided ? draft.constant(constant_name::consumers, groups, constant_line::consumers) : number(1);
  const int64_t beside = all_warps / kWarpsOfGroup - groups;
  plan.launch.threads = draft.constant(constant_name::threads, all_warps * kWarp / computing.ctas,
                                       divided ? constant_line::consumers : constant_line::threads,
                                       !only     ? fmt::format("128 * ({} + kConsumers)", beside)
                                       : divided ? "128 * kConsumers"
                                                 : "");
  for (const tile::Decision& decision : program.decisions)
    draft.decide(decision.subject, decision.choice, decision.reason);
  const RoleRings between(draft, program, consumers);
  std::optional<MmaNumbers> multiplied;
  plan.roles.resize(program.roles.size());
  for (const size_t number_of_role : in_order_of_plans(program)) {
    const tile::Role& role = program.roles[number_of_role];
    const bool computes = role.duties.computes;
    const bool shares = shares_group(program, role);
    const int64_t warps =
        only || shares ? role.warps : (role.warps + kWarpsOfGroup - 1) / kWarpsOfGroup * kWarpsOfGroup;
    const Number threads = only       ? product(plan.launch.threads, plan.launch.cluster)
                           : computes ? product(number(kWarpsOfGroup * kWarp), groups == 1 ? number(1) : consumers)
                                      : number(warps * kWarp);
    planning::Lowering lowering(draft, program, role, threads, computes ? consumers : number(1), between);
    RolePlan planned;
    planned.duties = role.duties;
    planned.rings = between.rings_of(role);
    const std::vector<int> own = lowering.rings();
    planned.rings.insert(planned.rings.end(), own.begin(), own.end());
    planned.groups = computes ? consumers : number(1);
    planned.warps = static_cast<int>(warps);
    planned.registers_needed = registers_needed(program, role);
    planned.rows_per_group = number(1);
    if (!only) {
      planned.name = role.name;
      planned.first_warp = static_cast<int>(tile::first_warp(program, role));
      planned.shares_group = shares;
      if (!computes) planned.run_by = role.duties.copies ? between.copy_issuer() : Issuer::one_thread;
      change_registers(role, *draft.target, plan.launch.threads.value, planned);
    }
    planned.purpose = role.duties.stores ? purpose_of_storer(program, role) : purpose_of(planned, only);
    planned.program = lowering.run(role.body);
    planned.stores = lowering.stores();
    if (const std::optional<MmaNumbers>& dot = lowering.multiplied()) {
      planned.rows_per_group = lowering.declared_rows();
      planned.purpose = purpose_of_dots(*dot, draft.kernel->schedule.take_turns.names);
      multiplied = dot;
    }
    plan.roles[number_of_role] = std::move(planned);
  }
  if (multiplied) plan.work.tile.push_back(multiplied->depth);
  LoweredPlan made{draft, program, in_order_of_plans(program), remedies};
  for (const PlanStep& step : plan_steps()) {
    if (!step.run(made)) return false;
    if (after) after(step.name, plan);
  }
  return true;
}

}  // namespace pallasgen
