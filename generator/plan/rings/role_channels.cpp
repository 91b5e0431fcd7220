#include "rings/role_channels.h"

#include <optional>

namespace pallasgen {

std::vector<int> RoleChannels::own_rings() const {
  std::vector<int> all = copied_.rings();
  all.insert(all.end(), made_.rings().begin(), made_.rings().end());
  return all;
}

int RoleChannels::ring_of(tile::ChannelId channel) const {
  if (const std::optional<int> between = between_.ring_of(channel)) return *between;
  const std::optional<int> made = made_.ring_of(channel);
  return made ? *made : copied_.ring_of(channel);
}

std::vector<Number> RoleChannels::sizes(const tile::Entry& entry) const {
  if (made_.ring_of(entry.channel)) return made_.sizes(entry);
  return between_.ring_of(entry.channel) ? between_.sizes(entry) : copied_.sizes(entry);
}

std::optional<program::Statements> RoleChannels::lower_own(const tile::Block& block, size_t at) const {
  if (block[at].as<tile::WaitCopies>()) return copied_.wait(block, at);
  if (std::optional<program::Statement> fence = copied_.fence(block, at)) return program::Statements{*fence};
  const auto* sync = block[at].as<tile::Sync>();
  if (sync && at > 0 && copied_.fence(block, at - 1)) return program::Statements{copied_.meeting(block, at)};
  if (std::optional<program::Statement> made = made_.lower(block, at)) return program::Statements{*made};
  if (sync && sync->of == tile::SyncOf::role) return program::Statements{copied_.meeting(block, at)};
  return std::nullopt;
}

void RoleChannels::advance(tile::ChannelId channel, program::Statements& out) const {
  const int ring = ring_of(channel);
  const bool copied = !between_.ring_of(channel) && !made_.ring_of(channel);
  if (copied && draft_.plan.rings[static_cast<size_t>(ring)].slots.value == 1) return;
  const auto cursor = [this](int of) { return draft_.plan.rings[static_cast<size_t>(of)].cursor; };
  auto* same = out.empty() ? nullptr : std::get_if<program::AdvanceRing>(&out.back().node);
  if (same && cursor(same->ring) == cursor(ring))
    same->with.push_back(ring);
  else
    out.push_back({"", false, program::AdvanceRing{ring}});
}

}  // namespace pallasgen
