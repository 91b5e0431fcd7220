#include "questions/computed_operands.h"

#include <map>

#include "tile/walk.h"

namespace pallasgen {

std::set<int> computed_operands(const tile::Program& program) {
  std::set<int> found;
  for (const tile::Role& role : program.roles) {
    std::map<int, int> got;  // by value: its channel
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* get = statement.as<tile::Get>();
      const tile::Channel* channel = get ? &program.channel(get->entry.channel) : nullptr;
      if (channel && channel->from == channel->to) got[get->value.index] = get->entry.channel.index;
    });
    if (got.empty()) continue;
    std::set<int> read, made;
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* put = statement.as<tile::Put>();
      if (put && put->value) made.insert(put->entry.channel.index);
      if (!dot_if(statement, &tile::Product::reads_slots)) return;
      for (int value : tile::used_by(statement)) {
        if (const auto from = got.find(value); from != got.end()) read.insert(from->second);
      }
    });
    for (int channel : read) {
      if (made.count(channel)) found.insert(channel);
    }
  }
  return found;
}

}  // namespace pallasgen
