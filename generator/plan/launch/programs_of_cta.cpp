#include "launch/programs_of_cta.h"

#include <fmt/format.h>

#include "layout/rows.h"
#include "plan/rules.h"
#include "plan/words.h"
#include "program/constant_names.h"
#include "program/program_walk.h"
#include "program/spec_names.h"

namespace pallasgen {

namespace {

// True if each thread or each warp does its own part of the statement, and the CTA none.
bool is_of_warps(const program::Statement& statement) {
  using namespace program;
  return is_one_of<ForTiles, DeclareSteps, DeclareLet, ForSteps, DeclareFragment, BindScalar, FillIfNoStep, Load,
                   StoreGlobal, Elementwise, UnpackAgain, If, ForElements, ForRange, WhileLoop, SetScalar, StoreElement,
                   ReduceLanes, ScanLanes, ReduceFragment, Check, LeaveOnFault, Print, Assert>(statement);
}

// The resource that programs of one CTA would share; empty if there is none.
std::string shared_by_programs(const Plan& plan) {
  if (has_several_roles(plan)) return "a producer, which serves one tile at a time";
  if (plan.work.is_loop()) return "the tiles that a persistent CTA takes in turn";
  if (plan.launch.cluster.value > 1) return "a cluster, whose CTAs have one tile together";
  if (!plan.shared.fields.empty())
    return fmt::format("shared memory ('{}')", name_in_spec(*plan.kernel, plan.shared.fields.front().name));
  std::string shared;
  for_each_statement(computing_role(plan).program, [&](const program::Statement& statement) {
    if (shared.empty() && !is_of_warps(statement))
      shared = fmt::format("barriers of all {}", counted(plan.launch.threads.value, "thread"));
  });
  return shared;
}

}  // namespace

void decide_programs(Draft& draft) {
  const int64_t programs = draft.kernel->schedule.programs_per_cta.value.value_or(1);
  draft.plan.launch.programs = number(1);
  if (programs == 1) return;
  draft.plan.launch.programs = draft.constant(constant_name::programs, programs, constant_line::threads);
  draft.decide("programs of a CTA", std::to_string(programs), "the spec says so");
}

bool check_programs(Draft& draft) {
  const Plan& plan = draft.plan;
  const IntegerSetting& asked = draft.kernel->schedule.programs_per_cta;
  const int64_t programs = plan.launch.programs.value, threads = plan.launch.threads.value;
  if (programs == 1) return true;
  const auto refuse = [&](const std::string& why, const std::string& works) {
    draft.refuse(kPlanSetting, asked.span, fmt::format("programs_per_cta: {}, but {}", programs, why)).note(works);
    return false;
  };
  if (plan.work.axes.empty()) return refuse("the grid has one program", "without it the kernel plans");
  const TileWalk walk = plan.work.walk;
  if (walk != TileWalk::row_major && walk != TileWalk::column_major)
    return refuse("this `tile_order` gives each CTA one tile", "`tile_order: row` and `tile_order: column` work");
  if (const std::string shared = shared_by_programs(plan); !shared.empty())
    return refuse("each CTA has " + shared, "larger blocks give a CTA more to do; `programs_per_cta: 1` works");
  if (programs * threads > kMostLanesOfCta)
    return refuse(
        fmt::format("each program has {}, and a CTA at most {}", counted(threads, "thread"), grouped(kMostLanesOfCta)),
        fmt::format("`programs_per_cta: {}` works", kMostLanesOfCta / threads));
  return true;
}

}  // namespace pallasgen
