#pragma once

#include <string>

#include "tile/program.h"

namespace pallasgen::tile {

// A statement of the protocol of channels as its line says it: "wait_full ab", "release ab previous"; empty: it is
// none.
std::string protocol_text(const Program& program, const Statement& statement);

}  // namespace pallasgen::tile
