#include "driver/plan_program.h"

#include <algorithm>
#include <utility>

#include "diagnostics/assert.h"
#include "driver/lowering.h"
#include "elements/lowering.h"
#include "elements/scalar_array_checks.h"
#include "fragments/partial_tiles.h"
#include "fragments/reduction_strategy.h"
#include "launch/finish.h"
#include "launch/programs_of_cta.h"
#include "launch/work.h"
#include "layout/warps.h"
#include "model/cost.h"
#include "order/role_sync.h"
#include "plan/passes.h"
#include "program/constant_names.h"
#include "program/memory.h"
#include "program/numbers.h"
#include "program/shared_scopes.h"
#include "proofs/value_sizes.h"
#include "questions/blocks.h"
#include "questions/clusters.h"
#include "questions/first_turns.h"
#include "questions/instructions.h"
#include "questions/role_plans.h"
#include "questions/staged_store.h"
#include "questions/steps_fill.h"
#include "questions/tile_body.h"
#include "registers/live_registers.h"
#include "rings/channel_rings.h"
#include "rings/role_rings.h"
#include "size/occupancy.h"
#include "targets/registers.h"
#include "tidy/copied_scalars.h"
#include "tidy/descriptors.h"
#include "tidy/element_fusion.h"
#include "tidy/idle_statements.h"
#include "tidy/joined_loops.h"
#include "tidy/loop_values.h"
#include "tidy/parts.h"
#include "tidy/rolled_repeats.h"
#include "tidy/shared_conditions.h"
#include "tile/loop_facts.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// Indices of the roles in planning order: roles that store what others write come last.
std::vector<size_t> in_order_of_plans(const tile::Program& program) {
  std::vector<size_t> places;
  for (const bool storers : {false, true}) {
    for (size_t i = 0; i < program.roles.size(); ++i) {
      if (is_storer(program, program.roles[i]) == storers) places.push_back(i);
    }
  }
  return places;
}

}  // namespace

bool plan_program(Draft& draft, const tile::Program& program, const Remedies& remedies) {
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
  const bool only = program.roles.size() == 1;
  const int64_t groups = program.roles.back().warps / kWarpsOfGroup;
  const bool divided = !only || groups_apart(program, program.roles[0]) > 1;
  const Number consumers =
      divided ? draft.constant(constant_name::consumers, groups, constant_line::consumers) : number(1);
  plan.launch.threads = draft.constant(
      constant_name::threads,
      only ? program.roles[0].threads() / program.roles[0].ctas : threads_with_producer(static_cast<int>(groups)),
      divided ? constant_line::consumers : constant_line::threads,
      !only     ? "128 * (1 + kConsumers)"
      : divided ? "128 * kConsumers"
                : "");
  for (const tile::Decision& decision : program.decisions)
    draft.decide(decision.subject, decision.choice, decision.reason);
  const RoleRings between(draft, program, consumers);
  std::optional<MmaNumbers> multiplied;
  plan.roles.resize(program.roles.size());
  for (const size_t number_of_role : in_order_of_plans(program)) {
    const tile::Role& role = program.roles[number_of_role];
    const bool last = &role == &program.roles.back(), stores = is_storer(program, role);
    const Number threads = only     ? product(plan.launch.threads, plan.launch.cluster)
                           : last   ? product(number(kWarpsOfGroup * kWarp), groups == 1 ? number(1) : consumers)
                           : stores ? number(role.warps * kWarp)
                                    : number(kWarpsOfGroup * kWarp);
    planning::Lowering lowering(draft, program, role, threads, last ? consumers : number(1), between);
    RolePlan planned;
    planned.rings = between.rings_of(role);
    const std::vector<int> own = lowering.rings();
    planned.rings.insert(planned.rings.end(), own.begin(), own.end());
    planned.groups = last ? consumers : number(1);
    planned.warps = static_cast<int>(role.warps);
    planned.registers_needed = registers_needed(program, role);
    planned.rows_per_group = number(1);
    if (!only) {
      planned.name = role.name;
      planned.first_warp = static_cast<int>(tile::first_warp(program, role));
      planned.shares_group = shares_group(program, role);
      if (!planned.shares_group)
        planned.warps = static_cast<int>((role.warps + kWarpsOfGroup - 1) / kWarpsOfGroup * kWarpsOfGroup);
      if (!last) planned.run_by = stores ? Hands::one_thread : between.hands();
      change_registers(role, *draft.target, plan.launch.threads.value, planned);
    }
    planned.purpose = stores ? purpose_of_storer(program, role) : purpose_of(planned, only);
    planned.program = lowering.run(role.body);
    check_scalar_arrays(draft, program, role, planned.program);
    fuse_element_loops(draft, planned.program);
    drop_idle_statements(draft, planned.program);
    if (last) share_scopes(draft, planned.program);
    open_exchange(draft, planned.program);
    name_partial_tiles(draft, planned.program);
    if (last) insert_role_syncs(plan, role.warps == kWarpsOfGroup, planned.program);
    share_conditions(planned.program);
    name_descriptors(draft, planned.program);
    planned.stores = lowering.stores();
    if (const std::optional<MmaNumbers>& dot = lowering.multiplied()) {
      planned.rows_per_group = lowering.declared_rows();
      planned.purpose = purpose_of_dots(*dot, program.declarations->schedule.take_turns.names);
      multiplied = dot;
    }
    plan.roles[number_of_role] = std::move(planned);
  }
  if (!check_strategy(draft)) return false;
  plan_tile_queue(draft);
  tell_accesses(draft, plan.roles.back());
  plan_memory(draft);
  const bool lacks = plan.shared.total > plan.shared.limit;
  const int64_t fit = lacks && remedies.stages ? remedies.stages(most_stages(plan) - 1) : 0;
  std::vector<std::string> notes = memory_remedies(plan);
  if (lacks && fit == 0 && remedies.sizes) {
    for (const std::string& sizes : remedies.sizes()) notes.push_back(sizes + " works");
  }
  if (!check_memory(draft, draft.kernel->span, stages_text(*draft.kernel, fit), notes)) return false;
  finish_roles(draft);
  finish_launch(draft);
  if (!check_programs(draft)) return false;
  finish_constants(draft);
  if (multiplied) plan.work.tile.push_back(multiplied->depth);
  choose_least_ctas(draft, program);
  plan.cost = model_cost(plan);
  keep_values_in_loops(draft);
  drop_copied_scalars(draft);
  join_loops(draft);
  roll_repeats(draft);
  outline_parts(draft);
  return true;
}

}  // namespace pallasgen
