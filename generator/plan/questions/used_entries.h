#pragma once

#include <set>
#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// An entry of a channel between roles, in one block of the role that uses it.
struct UsedEntry {
  tile::ChannelId channel;
  std::string at;              // its coordinates
  std::set<int> values = {};   // got from it
  size_t first = 0, last = 0;  // the statement that gets it first and the one that uses it last
  size_t got = 0;              // the last statement that gets a member of it
  bool by_threads = false;     // statements of threads read it
  size_t last_read = 0;        // the last statement of threads that reads it
  bool by_units = false;       // instructions read it in shared memory
  bool together = false;       // every run of the block executes an instruction of all threads that reads it
  bool running = false;        // instructions that read it still run in the next iteration
  bool freed = false;
};

// True if the role uses entries of the channel that another role fills, other than to store them (store_protocol).
bool uses(const tile::Program& program, const tile::Role& role, tile::ChannelId channel);
// Text that identifies the entry inside its channel.
std::string coordinates(const tile::Entry& entry);
// The entries that a block of the role gets, in their order.
std::vector<UsedEntry> used_entries(const tile::Program& program, const tile::Role& role, const tile::Block& block);

// The channels that are filled more often than they have slots: the role that fills one waits until an entry is free,
// and the role that uses it frees entries. Other channels are filled once, without such waits.
std::set<tile::ChannelId> refilled_channels(const tile::Program& program);
// The channels of which the statement, or its blocks, gets entries.
std::set<tile::ChannelId> channels_used_in(const tile::Statement& statement);
// For each statement of the block: the channels of which later statements use entries, including `later`.
std::vector<std::set<tile::ChannelId>> channels_used_behind(const tile::Block& block, std::set<tile::ChannelId> later);

}  // namespace pallasgen
