#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// What a plan has under one name: "stages of a, b", "4".
struct PlanPoint {
  std::string subject, text;
};

// The plan as points that `diff` compares by their subjects, in the order of explain: work, roles, rings, shared
// memory, barriers, decisions without their reasons, what the launcher checks. Without the cost model's figures, which
// have an order of their own.
std::vector<PlanPoint> plan_points(const Plan& plan);

// The cost model's figures of two plans, a line each: the time with better or worse, others where they differ.
std::vector<std::string> changed_costs(const CostModel& before, const CostModel& after);

}  // namespace pallasgen
