#pragma once

#include <functional>

#include "plan/passes.h"
#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// Searches for changes with which a kernel that lacks shared memory can be planned. Each may be null.
struct Remedies {
  std::function<int64_t(int64_t most)> stages = {};      // the number of stages, at most `most`; 0: none fits
  std::function<std::vector<std::string>()> sizes = {};  // block sizes: "bn 192"
};

// Plans a kernel from its tile program after the last pass. Returns false after a refusal; if shared memory is too
// small, the refusal names the number of stages that `remedies` find, else block sizes. `after` is called with the plan
// behind each of plan_steps().
bool plan_program(Draft& draft, const tile::Program& program, const Remedies& remedies = {},
                  const AfterStep& after = {});

}  // namespace pallasgen
