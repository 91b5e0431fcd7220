#include "questions/used_entries.h"

#include <algorithm>
#include <map>

#include "tile/walk.h"

namespace pallasgen {

namespace {

void note_uses(const tile::Program& program, const tile::Statement& statement, size_t at,
               const std::map<int, size_t>& from, std::vector<UsedEntry>& found) {
  // Values from before the statement that it reads.
  const std::set<int> reads = tile::undefined_at_start(tile::Block{statement});
  for (int value : reads) {
    const auto entry = from.find(value);
    if (entry == from.end()) continue;
    UsedEntry& used = found[entry->second];
    used.last = at;
    tile::for_each_statement(tile::Block{statement}, [&](const tile::Statement& inner) {
      if (!tile::used_by(inner).count(value)) return;
      const auto* dot = dot_if(inner, &tile::Product::runs_on);
      used.by_threads = used.by_threads || !dot;
      used.by_units = used.by_units || (dot && program.value({value}).home == tile::Home::shared);
      if (!dot) used.last_read = at;
      used.running = used.running || (dot && dot->in_flight.value_or(0) > 0);
    });
  }
}

// Counts the entries of each channel that the block fills; null for a channel that a loop fills.
void count_filled(const tile::Block& block, bool again, std::map<tile::ChannelId, std::optional<int64_t>>& filled) {
  std::set<std::pair<tile::ChannelId, std::string>> entries;
  for (const tile::Statement& statement : block) {
    for (const tile::Block* inner : tile::blocks_of(statement))
      count_filled(*inner, again || tile::repeats(statement), filled);
    const auto* put = statement.as<tile::Put>();
    if (!put || !entries.insert({put->entry.channel, coordinates(put->entry)}).second) continue;
    std::optional<int64_t>& count = filled.try_emplace(put->entry.channel, 0).first->second;
    count = again || !count ? std::optional<int64_t>() : *count + 1;
  }
}

}  // namespace

std::set<tile::ChannelId> refilled_channels(const tile::Program& program) {
  std::map<tile::ChannelId, std::optional<int64_t>> filled;
  for (const tile::Role& role : program.roles) count_filled(role.body, false, filled);
  std::set<tile::ChannelId> out;
  for (const auto& [channel, count] : filled) {
    if (!count || *count > program.channel(channel).slots.value_or(1)) out.insert(channel);
  }
  return out;
}

std::set<tile::ChannelId> channels_used_in(const tile::Statement& statement) {
  std::set<tile::ChannelId> out;
  tile::for_each_statement(tile::Block{statement}, [&](const tile::Statement& inner) {
    if (const auto* get = inner.as<tile::Get>()) out.insert(get->entry.channel);
  });
  return out;
}

std::vector<std::set<tile::ChannelId>> channels_used_behind(const tile::Block& block, std::set<tile::ChannelId> later) {
  std::vector<std::set<tile::ChannelId>> out(block.size());
  for (size_t i = block.size(); i-- > 0;) {
    out[i] = later;
    later.merge(channels_used_in(block[i]));
  }
  return out;
}

bool uses(const tile::Program& program, const tile::Role& role, tile::ChannelId id) {
  const tile::Channel& channel = program.channel(id);
  return channel.to == role.name && channel.from != role.name && !tile::is_staged_between(program, id);
}

std::string coordinates(const tile::Entry& entry) {
  std::string out;
  for (const TypedPtr& at : entry.at) out += to_string(at, TypedText::exact) + ",";
  return out;
}

std::vector<UsedEntry> used_entries(const tile::Program& program, const tile::Role& role, const tile::Block& block) {
  std::vector<UsedEntry> found;
  std::map<int, size_t> from;  // by value: index in `found`
  for (size_t i = 0; i < block.size(); ++i) {
    note_uses(program, block[i], i, from, found);
    const auto* get = block[i].as<tile::Get>();
    if (!get || !uses(program, role, get->entry.channel)) continue;
    const std::string at = coordinates(get->entry);
    const auto same = [&](const UsedEntry& used) { return used.channel == get->entry.channel && used.at == at; };
    auto used = std::find_if(found.begin(), found.end(), same);
    if (used == found.end()) used = found.insert(found.end(), UsedEntry{get->entry.channel, at, {}, i, i});
    used->values.insert(get->value.index);
    used->got = i;
    from[get->value.index] = static_cast<size_t>(used - found.begin());
  }
  for (UsedEntry& used : found) {
    used.together = std::any_of(block.begin(), block.end(), [&](const tile::Statement& statement) {
      const bool runs_on = dot_if(statement, &tile::Product::runs_on) != nullptr;
      const std::set<int> operands = runs_on ? tile::used_by(statement) : std::set<int>();
      return std::any_of(operands.begin(), operands.end(), [&](int value) { return used.values.count(value) > 0; });
    });
  }
  return found;
}

}  // namespace pallasgen
