#pragma once

#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen::tile {

// What is wrong with the channels of a program: a role that is not there, a value of another type than the member, a
// role that takes entries in another order than the other gives them, or under other loops and conditions.
void verify_channels(const Program& program, std::vector<std::string>& wrong);

}  // namespace pallasgen::tile
