#pragma once

#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// Says what is wrong with statements of the channel protocol that plans have no form for: what stands in a role that
// neither fills nor uses the channel, what channels of that kind do not have, and waits or clears for values that
// nothing runs on for. Programs that the passes made have
// none; edited texts may.
std::vector<std::string> verify_channel_statements(const tile::Program& program);

}  // namespace pallasgen
