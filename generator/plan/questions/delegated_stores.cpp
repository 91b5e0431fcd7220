#include "questions/delegated_stores.h"

#include <set>

#include "tile/walk.h"

namespace pallasgen {

const tile::Write* delegated_write(const tile::Program& program, tile::ChannelId channel) {
  const tile::Role* to = role_named(program, program.channel(channel).to);
  const tile::Write* found = nullptr;
  std::set<int> got;
  if (!to) return nullptr;
  tile::for_each_statement(to->body, [&](const tile::Statement& statement) {
    const auto* get = statement.as<tile::Get>();
    if (get && get->entry.channel == channel) got.insert(get->value.index);
    const auto* write = statement.as<tile::Write>();
    if (write && got.count(write->value.index)) found = write;
  });
  return found;
}

tile::ChannelId stored_channel(const tile::Program& program, const tile::Statement& statement) {
  const auto* loop = statement.as<tile::For>();
  if (!loop || loop->body.size() != 2) return {};
  const auto* get = loop->body.front().as<tile::Get>();
  const auto* write = loop->body.back().as<tile::Write>();
  const bool stores = get && write && write->value == get->value && write->path.kind == tile::PathKind::tensor;
  return stores && tile::is_staged_between(program, get->entry.channel) ? get->entry.channel : tile::ChannelId{};
}

}  // namespace pallasgen
