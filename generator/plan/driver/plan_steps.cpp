#include "driver/plan_steps.h"

#include <utility>

#include "elements/scalar_array_checks.h"
#include "fragments/partial_tiles.h"
#include "fragments/reduction_strategy.h"
#include "launch/finish.h"
#include "launch/programs_of_cta.h"
#include "launch/work.h"
#include "layout/warps.h"
#include "model/cost.h"
#include "order/role_sync.h"
#include "program/memory.h"
#include "program/shared_scopes.h"
#include "questions/clusters.h"
#include "size/occupancy.h"
#include "tidy/copied_scalars.h"
#include "tidy/descriptors.h"
#include "tidy/element_fusion.h"
#include "tidy/idle_statements.h"
#include "tidy/joined_loops.h"
#include "tidy/loop_values.h"
#include "tidy/parts.h"
#include "tidy/rolled_repeats.h"
#include "tidy/shared_conditions.h"

namespace pallasgen {

namespace {

// Calls `run(role, statements)` with the statements of each role. They are no part of the plan meanwhile, since steps
// that renumber fields do that in the plan and in the statements.
template <class Run>
bool each_role(LoweredPlan& made, Run&& run) {
  for (const size_t index : made.order) {
    RolePlan& role = made.draft.plan.roles[index];
    program::Statements statements = std::exchange(role.program, {});
    run(made.program.roles[index], statements);
    role.program = std::move(statements);
  }
  return true;
}

// Lays out shared memory, or refuses with what would fit.
bool lay_out_memory(LoweredPlan& made) {
  Draft& draft = made.draft;
  plan_memory(draft);
  const bool lacks = draft.plan.shared.total > draft.plan.shared.limit;
  const int64_t fit = lacks && made.remedies.stages ? made.remedies.stages(most_stages(draft.plan) - 1) : 0;
  std::vector<std::string> notes = memory_remedies(draft.plan);
  if (lacks && fit == 0 && made.remedies.sizes) {
    for (const std::string& sizes : made.remedies.sizes()) notes.push_back(sizes + " works");
  }
  return check_memory(draft, draft.kernel->span, stages_text(*draft.kernel, fit), notes);
}

template <auto run>
bool plan_wide(LoweredPlan& made) {
  run(made.draft);
  return true;
}

template <auto run>
bool in_each_role(LoweredPlan& made) {
  return each_role(made, [&](const tile::Role&, program::Statements& statements) { run(made.draft, statements); });
}

template <auto run>
bool where_computed(LoweredPlan& made) {
  return each_role(made, [&](const tile::Role& role, program::Statements& statements) {
    if (role.duties.computes) run(made.draft, statements);
  });
}

}  // namespace

const std::vector<PlanStep>& plan_steps() {
  using program::Statements, tile::Role;
  static const std::vector<PlanStep> table = {
      {"lowering", [](LoweredPlan&) { return true; }},  // has made the statements that the other steps change
      {"scalar_array_checks",
       [](LoweredPlan& made) {
         return each_role(made, [&](const Role& role, Statements& statements) {
           check_scalar_arrays(made.draft, made.program, role, statements);
         });
       }},
      {"element_fusion", in_each_role<fuse_element_loops>},
      {"idle_statements", in_each_role<drop_idle_statements>},
      {"shared_scopes", where_computed<share_scopes>},
      {"exchanges", in_each_role<open_exchange>},
      {"partial_tiles", in_each_role<name_partial_tiles>},
      {"meetings",
       [](LoweredPlan& made) {
         return each_role(made, [&](const Role& role, Statements& statements) {
           if (role.duties.computes) insert_role_syncs(made.draft.plan, role.warps == kWarpsOfGroup, statements);
         });
       }},
      {"shared_conditions",
       [](LoweredPlan& made) {
         return each_role(made, [](const Role&, Statements& statements) { share_conditions(statements); });
       }},
      {"descriptors", in_each_role<name_descriptors>},
      {"reduction_strategy", [](LoweredPlan& made) { return check_strategy(made.draft); }},
      {"tile_queue", plan_wide<plan_tile_queue>},
      {"accesses",
       [](LoweredPlan& made) {
         explain_accesses(made.draft, computing_role(made.draft.plan));
         return true;
       }},
      {"memory", lay_out_memory},
      {"role_heads", plan_wide<finish_roles>},
      {"launch", plan_wide<finish_launch>},
      {"programs_of_cta", [](LoweredPlan& made) { return check_programs(made.draft); }},
      {"constants", plan_wide<finish_constants>},
      {"least_ctas",
       [](LoweredPlan& made) {
         choose_least_ctas(made.draft, made.program);
         return true;
       }},
      {"cost",
       [](LoweredPlan& made) {
         made.draft.plan.cost = model_cost(made.draft.plan);
         return true;
       }},
      {"loop_values", plan_wide<keep_values_in_loops>},
      {"copied_scalars", plan_wide<drop_copied_scalars>},
      {"joined_loops", plan_wide<join_loops>},
      {"rolled_repeats", plan_wide<roll_repeats>},
      {"outlined_parts", plan_wide<outline_parts>},
  };
  return table;
}

std::vector<std::string_view> plan_step_names() {
  std::vector<std::string_view> names;
  for (const PlanStep& step : plan_steps()) names.push_back(step.name);
  return names;
}

}  // namespace pallasgen
