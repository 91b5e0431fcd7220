#pragma once

#include <set>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// The values with the name of this one: a value that is defined anew has several.
std::vector<int> values_of_same_name(const tile::Program& program, int value);
// True if the statement gathers the rows of its box: threads look up where each row is.
bool gathers(const tile::Statement& statement);
// Gives the value the home of values that go by elements.
void set_element_home(tile::Program& program, tile::ValueId value);

// Gives values in registers that a role's statements by elements read a second place: a tile that is filled before
// them, or a second read. `printed`: prints that go by elements, by their position in the spec.
void place_element_operands(tile::Program& program, tile::Role& role, const std::set<size_t>& printed);

}  // namespace pallasgen
