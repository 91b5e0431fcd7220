#pragma once

#include <string>

#include "tile/program.h"

namespace pallasgen::tile {

// The line of a statement of the channel protocol, "wait_full ab" or "release ab previous"; empty for others.
std::string protocol_text(const Program& program, const Statement& statement);

}  // namespace pallasgen::tile
