#pragma once

#include <set>
#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// An entry of a channel between roles in one block of the role that uses it.
struct UsedEntry {
  tile::ChannelId channel;
  std::string at;              // its coordinates
  std::set<int> values = {};   // got from it
  size_t first = 0, last = 0;  // the statements that get it and that use it last
  size_t got = 0;              // the last statement that gets a member of it
  bool by_threads = false;     // some of them read it by themselves
  size_t last_read = 0;        // where they do so last
  bool by_units = false;       // instructions read it in shared memory
  bool together = false;       // in every run of the block all threads execute an instruction that reads it
  bool running = false;        // instructions that read it still run in the next turn
  bool freed = false;
};

// Whether the role takes what another one fills entries of the channel with, other than to store it (store_protocol).
bool uses(const tile::Program& program, const tile::Role& role, tile::ChannelId channel);
// The entry inside its channel.
std::string coordinates(const tile::Entry& entry);
// The entries that a block of the role gets, in their order.
std::vector<UsedEntry> used_entries(const tile::Program& program, const tile::Role& role, const tile::Block& block);

// The channels that are filled more often than they have slots: who fills them waits until an entry is free, and who
// uses them frees it. Nobody waits for the slots of others, which are filled once.
std::set<tile::ChannelId> refilled_channels(const tile::Program& program);
// The channels of which the statement gets entries, in its blocks too.
std::set<tile::ChannelId> channels_used_in(const tile::Statement& statement);
// By statement of the block: the channels of which entries are used behind it, `later` ones included.
std::vector<std::set<tile::ChannelId>> channels_used_behind(const tile::Block& block, std::set<tile::ChannelId> later);

}  // namespace pallasgen
