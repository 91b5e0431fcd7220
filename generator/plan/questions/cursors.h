#pragma once

#include <map>
#include <optional>
#include <string>

#include "tile/program.h"

namespace pallasgen {

// The cursors (current slots) that rings of equally many slots share, if every role that has them moves them on
// together: by channel, the suffix of the shared variables' names. Other channels have variables of their own.
std::map<int, std::string> shared_cursors(const tile::Program& program);
// The suffix for one channel; null if it has a cursor of its own.
std::optional<std::string> cursor_of(const tile::Program& program, tile::ChannelId channel);

}  // namespace pallasgen
