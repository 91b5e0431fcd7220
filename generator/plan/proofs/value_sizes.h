#pragma once

#include <map>
#include <vector>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// The sizes of values by their shapes, by name where the spec gives one: of matrices that dots make, by those of their
// operands, and of what is read. The first dot or read says them for all of its shape, and dots come before reads.
std::map<Shape, std::vector<Number>> value_sizes(const Draft& draft, const tile::Program& program);

}  // namespace pallasgen
