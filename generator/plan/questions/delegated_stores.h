#pragma once

#include "tile/program.h"

namespace pallasgen {

// The write by which another role stores the channel's entries to an array; null if there is none.
const tile::Write* delegated_write(const tile::Program& program, tile::ChannelId channel);
// The channel whose entries, filled by another role, the loop stores; no channel if it is not such a loop.
tile::ChannelId stored_channel(const tile::Program& program, const tile::Statement& loop);

}  // namespace pallasgen
