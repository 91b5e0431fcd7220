#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen::schedule {

// One step of a loop in the parts that lookahead moves. An iteration of the new loop runs, of the step that it looks
// ahead to, the `named` dots and what they need, `beside`, which runs while the others do, and `behind`, which touches
// what the others read or make. Of the step before, it runs the `others`, which are the dots that are not named and the
// copies that only they read, and the `rest`, which needs their results.
struct StepOrder {
  tile::Block named, beside, behind, others, rest;
};
struct StepOrderResult {
  std::optional<StepOrder> order;
  std::string problem = {};            // why there is none
  std::vector<std::string> path = {};  // the dependence that prevents it: each value needs the one before it
};

// The parts of a step for lookahead to the dots of these names. An iteration runs `named` of a step, `others` of the
// step before, and then `beside` of the step, `rest` of the step before and `behind` of the step.
StepOrderResult order_step(const tile::Program& program, const tile::Block& body, const std::set<std::string>& names);

}  // namespace pallasgen::schedule
