#pragma once

#include <string>
#include <vector>

#include "plan/points.h"

namespace pallasgen {

// The points of a generated file's plan: the facts and barriers in its header comment, and its constants. Empty for a
// file that pallasgen did not write.
std::vector<PlanPoint> points_of_file(const std::string& text);

// The differences of two plans, a line each, in the order of the new one: "tile: 128 x 256 -> 128 x 128", "+ barrier
// empty: …", "- decision: …". Points of one subject are compared in order, after removing those that both have.
std::vector<std::string> changed_points(const std::vector<PlanPoint>& before, const std::vector<PlanPoint>& after);

}  // namespace pallasgen
