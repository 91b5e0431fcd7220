#include "questions/ring_moves.h"

#include <map>

#include "tile/walk.h"

namespace pallasgen {

std::vector<int> RingMoves::with_turns(const tile::Block& body, const std::function<int(tile::ChannelId)>& ring_of) {
  std::map<int, int> count;  // by channel
  for_each_statement(body, [&](const tile::Statement& statement) {
    if (const auto* advance = statement.as<tile::Advance>()) ++count[advance->channel.index];
  });
  std::vector<int> rings;
  size_t end = body.size();
  while (end > 0 && body[end - 1].as<tile::Advance>()) --end;
  for (; end < body.size(); ++end) {
    const tile::ChannelId channel = body[end].as<tile::Advance>()->channel;
    if (count[channel.index] != 1) continue;
    rings.push_back(ring_of(channel));
    in_headers_.insert(&body[end]);
  }
  return rings;
}

const tile::Entry* next_entry(const tile::Block& block, size_t from) {
  for (size_t i = from; i < block.size(); ++i) {
    if (const auto* get = block[i].as<tile::Get>()) return &get->entry;
  }
  return nullptr;
}

}  // namespace pallasgen
