#pragma once

#include <map>
#include <vector>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// Returns sizes, by name if the spec gives one, for the shapes of results of dots, which take the names of their
// operands' sizes, and of values read. The first dot of a shape determines them, or the first read if no dot has it.
std::map<Shape, std::vector<Number>> value_sizes(const Draft& draft, const tile::Program& program);

}  // namespace pallasgen
