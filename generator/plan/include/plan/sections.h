#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// A part of the text of explain. Lines that begin with spaces continue the one before.
struct PlanSection {
  std::string title;  // roles, rings, shared memory, …
  std::vector<std::string> lines;
};

// All parts but the timeline, in order.
std::vector<PlanSection> plan_sections(const Plan& plan);

}  // namespace pallasgen
