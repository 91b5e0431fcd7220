#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// One named fact of a plan: "stages of a, b", "4".
struct PlanPoint {
  std::string subject, text;
};

// Returns the points that `diff` compares by their subjects, in the order of explain: work, roles, rings, shared
// memory, barriers, decisions without their reasons, checks of the launcher. The cost model's figures are not among
// them: they have an order of their own.
std::vector<PlanPoint> plan_points(const Plan& plan);

// Compares the cost model's figures of two plans, a line each: the time with better or worse, others if they differ.
std::vector<std::string> changed_costs(const CostModel& before, const CostModel& after);

}  // namespace pallasgen
