#pragma once

#include <optional>
#include <utility>

#include "kernel/programs.h"

namespace pallasgen {

// Grid points of two programs that have the same block by the affine index map; both are inside the largest grid.
// `without_data`: entries of the map that depend on elements of arrays do not count.
std::optional<std::pair<GridPoint, GridPoint>> affine_race(const Kernel& kernel, const Ref& ref,
                                                           bool without_data = false);

// True if the index map alone proves that programs have blocks of their own and never come back to one: each entry
// moves with one axis, and the axes that no entry moves with are the innermost steps.
bool has_own_blocks(const Kernel& kernel, const Ref& ref);

}  // namespace pallasgen
