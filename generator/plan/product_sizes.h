#pragma once

#include <map>
#include <vector>

#include "draft.h"
#include "tile/program.h"

namespace pallasgen {

// The sizes of matrices that dots make, by their shapes: by name where the spec gives one for the operand's. The first
// dot says them for all of its shape.
std::map<Shape, std::vector<Number>> product_sizes(const Draft& draft, const tile::Program& program);

}  // namespace pallasgen
