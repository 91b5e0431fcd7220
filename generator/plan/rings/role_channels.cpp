#include "rings/role_channels.h"

#include <fmt/format.h>

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

std::string RoleChannels::comment_of(const tile::FenceProxy& fence) const {
  const tile::Orders& orders = fence.orders;
  if (orders.filled.empty())
    return orders.read.empty() ? "the units see what this thread has done in shared memory"
                               : "the copy that fills the stage again comes after these reads";
  const tile::ChannelId channel = orders.filled.front();
  if (tile::is_staged_between(program_, channel)) return "the TMA unit sees what was written above";
  if (between_.ring_of(channel)) return "the tensor cores see what the threads of another role have copied";
  return made_.ring_of(channel) ? "the tensor cores see what this thread stored ..." : copied_.comment_of_fence(orders);
}

std::string RoleChannels::comment_of(const tile::Sync& sync) const {
  const tile::Orders& orders = sync.orders;
  const bool filled = !orders.filled.empty();
  if (!filled && orders.read.empty()) return "all of these threads meet";
  const tile::ChannelId channel = filled ? orders.filled.front() : orders.read.front();
  if (tile::is_staged_between(program_, channel)) return "all threads of the warpgroup have written their parts ...";
  if (between_.ring_of(channel)) return "all threads of the warp are done with the stage ...";
  if (!made_.ring_of(channel)) return copied_.comment_of_sync(orders);
  if (!filled)
    return fmt::format("{} of the step before has been read", program_.channel(channel).members.front().name);
  return sync.of == tile::SyncOf::role ? "... and what all others did" : "... and what the others of its warpgroup did";
}

std::optional<program::Statements> RoleChannels::lower_own(const tile::Statement& statement) const {
  if (const auto* wait = statement.as<tile::WaitCopies>()) return copied_.wait(*wait);
  if (const auto* fence = statement.as<tile::FenceProxy>())
    return program::Statements{{comment_of(*fence), false, program::FenceAsync{}}};
  if (const auto* sync = statement.as<tile::Sync>()) {
    const std::string comment = comment_of(*sync);
    if (sync->of == tile::SyncOf::role) return program::Statements{{comment, false, program::RoleSync{}}};
    if (sync->of == tile::SyncOf::warp) return program::Statements{{comment, false, program::WarpSync{}}};
    return program::Statements{{comment, false, program::WarpgroupSync{}}};
  }
  const auto* put = statement.as<tile::Put>();
  if (put && made_.ring_of(put->entry.channel)) return program::Statements{made_.store(*put)};
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
