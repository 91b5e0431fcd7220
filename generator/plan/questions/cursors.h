#pragma once

#include <map>
#include <optional>
#include <string>

#include "tile/program.h"

namespace pallasgen {

// The slots that rings of as many slots are at, where every role that has them moves them on together: by channel, the
// end of the names of the variables that they share. Others have variables of their own.
std::map<int, std::string> shared_cursors(const tile::Program& program);
// That of one channel; null: its own.
std::optional<std::string> cursor_of(const tile::Program& program, tile::ChannelId channel);

}  // namespace pallasgen
