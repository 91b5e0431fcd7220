#pragma once

#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen::tile {

// Adds to `wrong` what is wrong with the channels of a program: roles that do not exist, values of another type than
// the member, and roles that get entries in another order than they are put, or under other loops and conditions.
void verify_channels(const Program& program, std::vector<std::string>& wrong);
// Adds values whose type is not that of the box or the expression that they take (types.cpp).
void verify_types(const Program& program, std::vector<std::string>& wrong);

}  // namespace pallasgen::tile
