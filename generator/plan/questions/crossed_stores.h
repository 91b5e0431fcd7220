#pragma once

#include "tile/program.h"

namespace pallasgen {

// The array that another role stores out of the channel's entries: its write; null: there is none.
const tile::Write* write_out_of(const tile::Program& program, tile::ChannelId channel);
// The channel out of which the loop stores an entry that another role has filled; no channel: it is no such loop.
tile::ChannelId stored_channel(const tile::Program& program, const tile::Statement& loop);

}  // namespace pallasgen
