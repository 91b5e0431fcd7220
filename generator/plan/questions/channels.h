#pragma once

#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// The suffix of the names of a channel's ring and of its constants, as in "_x"; empty if it is the only such channel.
std::string channel_suffix(const tile::Program& program, tile::ChannelId channel);
// The axes on which the channel moves to its next entry.
std::vector<int> axes_of(const Kernel& kernel, const tile::Channel& channel);

}  // namespace pallasgen
