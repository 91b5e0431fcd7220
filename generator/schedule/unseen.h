#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Removes the limits of bounded slices from reads where that makes no difference: elements past the limit reach only
// elements that a bounded slice with the same limit drops when it is written. Copies that have no such limit may then
// bring the box. Each is a decision of the program.
void drop_unseen_limits(tile::Program& program);

}  // namespace pallasgen::schedule
