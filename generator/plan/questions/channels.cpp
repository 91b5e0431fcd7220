#include "questions/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tile/walk.h"

namespace pallasgen {

std::string channel_suffix(const tile::Program& program, tile::ChannelId channel) {
  std::set<int> filled;  // from global memory
  for (const tile::Role& role : program.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* put = statement.as<tile::Put>();
      if (put && !put->value) filled.insert(put->entry.channel.index);
    });
  }
  const auto suffix_of = [&](int of) {
    std::string suffix;
    for (const tile::Channel::Member& member : program.channel({of}).members) suffix += "_" + member.name;
    return suffix;
  };
  const std::string suffix = suffix_of(channel.index);
  int same = 0;  // earlier channels, of other parts of the same arrays
  for (int other : filled) same += other < channel.index && suffix_of(other) == suffix;
  const std::string apart = same == 0 ? "" : same == 1 ? "_" : fmt::format("_{}", same);
  return filled.size() > 1 ? suffix + apart : "";
}

std::vector<int> axes_of(const Kernel& kernel, const tile::Channel& channel) {
  std::vector<int> axes;
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    const bool moves =
        std::find(channel.moves.begin(), channel.moves.end(), kernel.axes[axis].name) != channel.moves.end();
    if (moves && kernel.axes[axis].sequential) axes.push_back(static_cast<int>(axis));
  }
  return axes;
}

}  // namespace pallasgen
