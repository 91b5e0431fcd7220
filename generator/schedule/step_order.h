#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen::schedule {

// One step of a loop in the parts that lookahead moves. Of the step that a turn of the new loop looks ahead to: `named`
// dots and what they need, `beside`, which runs beside the others, and `behind`, which touches what the others read or
// make. Of the step before: its `others`, the dots that are not named, with the copies that they alone read, and the
// `rest`, which needs their results.
struct StepOrder {
  tile::Block named, beside, behind, others, rest;
};
struct StepOrderResult {
  std::optional<StepOrder> order;
  std::string problem = {};  // why there is none
  std::vector<std::string> path =
      {};  // the dependence that stands in the way: values, each of which needs the one before
};

// The step as a loop with lookahead to the dots of these names has it: a turn does `named` of step j, `others` of step
// j - 1, `beside` of j, `rest` of j - 1 and `behind` of j.
StepOrderResult order_step(const tile::Program& program, const tile::Block& body, const std::set<std::string>& names);

}  // namespace pallasgen::schedule
