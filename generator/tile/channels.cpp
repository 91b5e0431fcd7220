#include "channels.h"

#include <fmt/format.h>

#include <algorithm>

#include "tile/slice.h"
#include "tile/text.h"
#include "tile/walk.h"

namespace pallasgen::tile {

namespace {

const Entry* entry_of(const Statement& statement) {
  if (const Put* put = statement.as<Put>()) return &put->entry;
  const Get* get = statement.as<Get>();
  return get ? &get->entry : nullptr;
}

// Replaces the channel's puts, or its gets, with gets of the value.
void make_gets(Block& block, int channel, bool puts, ValueId value) {
  for (Statement& statement : block) {
    const Entry* entry = entry_of(statement);
    if (entry && entry->channel.index == channel && puts == (statement.as<Put>() != nullptr))
      statement = {statement.span, "", Get{value, Entry(*entry)}};
    for (Block* inner : blocks_of(statement)) make_gets(*inner, channel, puts, value);
  }
}

bool is_same_entry(const Statement& a, const Statement& b) {
  const Entry *left = entry_of(a), *right = entry_of(b);
  return left && right && std::equal(left->at.begin(), left->at.end(), right->at.begin(), right->at.end(), equal);
}

// Sorts the members of an entry, as they are filled and waited for together and their order does not matter.
void order_members(Block& block) {
  for (auto first = block.begin(); first != block.end();) {
    for (Block* inner : blocks_of(*first)) order_members(*inner);
    const auto last =
        std::find_if(first + 1, block.end(), [&](const Statement& s) { return !is_same_entry(*first, s); });
    std::stable_sort(first, last, [](const Statement& a, const Statement& b) {
      return entry_of(a) && entry_of(b) && entry_of(a)->member < entry_of(b)->member;
    });
    first = last;
  }
}

// The entries of a channel that a role puts, or gets, in the loops and conditions around them, as text.
std::string sequence(Program program, const Role& role, int channel, bool puts) {
  // Boxes and values that entries are copied from or to do not matter.
  const ValueId any{static_cast<int>(program.values.size())};
  program.values.push_back({"entry", DType::f32, {}});
  for (Value& value : program.values) value.layout = nullptr;
  Block body = role.body;
  make_gets(body, channel, puts, any);
  Block entries = slice(program, body, [&](const Statement& statement) {
    const Get* get = statement.as<Get>();
    return get && get->value == any;
  });
  order_members(entries);
  return to_text(program, entries);
}

// True if entries of the channel are put before the iteration that gets them: `ahead` of it, or after the get of an
// iteration for the next one.
bool is_put_ahead(const Block& block, int channel) {
  bool got = false;
  for (const Statement& statement : block) {
    const Entry* entry = entry_of(statement);
    const bool of_it = entry && entry->channel.index == channel;
    const Put* put = statement.as<Put>();
    if (of_it && put && (got || put->ahead)) return true;
    got = got || (of_it && !put);
    for (const Block* inner : blocks_of(statement)) {
      if (is_put_ahead(*inner, channel)) return true;
    }
  }
  return false;
}

void verify_entry(const Program& program, const Role& role, const Statement& statement,
                  std::vector<std::string>& wrong) {
  const Entry* entry = entry_of(statement);
  if (!entry) return;
  const Channel& channel = program.channel(entry->channel);
  if (entry->at.size() != channel.moves.size())
    wrong.push_back(fmt::format("an entry of '{}' has {} coordinates instead of {}", channel.name, entry->at.size(),
                                channel.moves.size()));
  const bool gets = statement.as<Get>() != nullptr;
  if (role.name != (gets ? channel.to : channel.from))
    wrong.push_back(fmt::format("role '{}' {} '{}'", role.name, gets ? "gets from" : "puts into", channel.name));
  const Channel::Member& member = channel.members[static_cast<size_t>(entry->member)];
  const Get* get = statement.as<Get>();
  const ValueId value = get ? get->value : statement.as<Put>()->value;
  if (value && (program.value(value).dtype != member.dtype || program.value(value).shape != member.shape))
    wrong.push_back(fmt::format("'{}' is of another type than '{}' of channel '{}'", program.value(value).name,
                                member.name, channel.name));
}

}  // namespace

void verify_channels(const Program& program, std::vector<std::string>& wrong) {
  for (const Role& role : program.roles) {
    for_each_statement(role.body, [&](const Statement& statement) { verify_entry(program, role, statement, wrong); });
  }
  for (size_t i = 0; i < program.channels.size(); ++i) {
    const Channel& channel = program.channels[i];
    const Role *from = role_named(program, channel.from), *to = role_named(program, channel.to);
    if (!from || !to) {
      wrong.push_back(fmt::format("channel '{}' is between roles that are not there", channel.name));
      continue;
    }
    if (is_put_ahead(from->body, static_cast<int>(i)))
      continue;  // has an order of its own, which the interpreter checks
    const std::string puts = sequence(program, *from, static_cast<int>(i), true);
    const std::string gets = sequence(program, *to, static_cast<int>(i), false);
    if (puts != gets)
      wrong.push_back(fmt::format("channel '{}' is filled as\n{}and emptied as\n{}", channel.name, puts, gets));
  }
}

}  // namespace pallasgen::tile
