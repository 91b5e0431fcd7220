#pragma once

#include <memory>
#include <string>

#include "tile/program.h"

namespace pallasgen::schedule {

// The first pass: a checked blocked kernel becomes a tile program of one role. Blocks become reads and writes of boxes,
// or have places of their own if the body indexes into them; sequential axes become loops; what does not change along
// an axis goes before its loop; a guard of the first or last step of all axes goes before or after the nest if that
// makes no difference, else it stays a branch and has a twin for programs without a step. A dot with scales becomes the
// dots of its parts, scaled and added.
tile::Program canonicalise(const std::shared_ptr<const Kernel>& kernel, const std::string& target);

}  // namespace pallasgen::schedule
