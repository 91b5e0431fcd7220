#pragma once

#include <set>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// The values of that name: two of them are one, defined anew.
std::vector<int> namesakes(const tile::Program& program, int value);
// Whether threads look up, element by element, where the rows of its box lie.
bool gathers(const tile::Statement& statement);
// Gives the value the home of those that go by elements.
void set_element_home(tile::Program& program, tile::ValueId value);

// Gives what statements by elements of a role read of values in registers a place: tiles that are filled before them,
// or second reads. `printed`: prints that go by elements, by where they begin in the spec.
void place_element_operands(tile::Program& program, tile::Role& role, const std::set<size_t>& printed);

}  // namespace pallasgen
