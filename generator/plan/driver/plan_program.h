#pragma once

#include <functional>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// What a kernel whose plan lacks shared memory has a plan with. Each may be null.
struct Remedies {
  std::function<int64_t(int64_t most)> stages = {};      // how many, of at most so many; 0: no number of them
  std::function<std::vector<std::string>()> sizes = {};  // of blocks: "bn 192"
};

// Plans a kernel by its tile program behind the last pass. False after a refusal; where shared memory lacks it names
// the number of stages that `remedies` find, else the sizes of blocks.
bool plan_program(Draft& draft, const tile::Program& program, const Remedies& remedies = {});

}  // namespace pallasgen
