#pragma once

#include <memory>
#include <string>

#include "tile/program.h"

namespace pallasgen::schedule {

// The first pass: a checked blocked kernel as a tile program of one role. Blocks become reads and writes of boxes, or
// places of their own where the body reaches into them; sequential axes become loops; what does not change along an
// axis stands before its loop; a guard of the first or last step of all axes stands before or behind the nest where
// nothing tells the difference, else it stays a branch, and has a twin for programs without a step. A dot with scales
// is the dots of its parts, scaled and added.
tile::Program canonicalise(const std::shared_ptr<const Kernel>& kernel, const std::string& target);

}  // namespace pallasgen::schedule
