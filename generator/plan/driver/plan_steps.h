#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/plan_program.h"

namespace pallasgen {

// A plan whose roles have been lowered, with the tile program that it is made of.
struct LoweredPlan {
  Draft& draft;
  const tile::Program& program;
  std::vector<size_t> order;  // indices of the roles in planning order
  const Remedies& remedies;   // for a plan that lacks shared memory
};

// A step that completes or shortens the plan's statements, or plans what stands beside them.
struct PlanStep {
  std::string_view name;
  // Returns false after a refusal.
  bool (*run)(LoweredPlan& plan);
};

// The steps from the lowered roles to the finished plan, in their order.
const std::vector<PlanStep>& plan_steps();

}  // namespace pallasgen
