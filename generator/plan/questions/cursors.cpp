#include "questions/cursors.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "questions/channels.h"
#include "questions/computed_operands.h"
#include "tile/walk.h"

namespace pallasgen {

namespace cursors {

// The places where a channel moves on: its role, and the number of the run of such statements in that role.
using Moves = std::vector<std::pair<size_t, int>>;

void note_moves(const tile::Block& block, size_t role, int& runs, std::map<int, Moves>& moves) {
  bool in_run = false;
  for (const tile::Statement& statement : block) {
    const auto* advance = statement.as<tile::Advance>();
    if (advance && !in_run) ++runs;
    in_run = advance != nullptr;
    if (advance) moves[advance->channel.index].emplace_back(role, runs);
    for (const tile::Block* inner : tile::blocks_of(statement)) note_moves(*inner, role, runs, moves);
  }
}

Moves of_role(const Moves& moves, size_t role) {
  Moves out;
  for (const auto& move : moves) {
    if (move.first == role) out.push_back(move);
  }
  return out;
}

// True if every role that moves both moves them in the same runs; a role with only one of them does not matter.
bool move_together(const Moves& one, const Moves& other, size_t roles) {
  bool both = false;
  for (size_t role = 0; role < roles; ++role) {
    const Moves a = of_role(one, role), b = of_role(other, role);
    if (a.empty() || b.empty()) continue;
    if (a != b) return false;
    both = true;
  }
  return both;
}

}  // namespace cursors

std::map<int, std::string> shared_cursors(const tile::Program& program) {
  std::map<int, cursors::Moves> moves;
  std::map<int, bool> copied_out;
  for (size_t role = 0; role < program.roles.size(); ++role) {
    int runs = 0;
    cursors::note_moves(program.roles[role].body, role, runs, moves);
    for_each_statement(program.roles[role].body, [&](const tile::Statement& statement) {
      if (const auto* wait = statement.as<tile::WaitStores>()) copied_out[wait->channel.index] = true;
    });
  }
  const auto may_share = [&](int channel) {
    return program.channel({channel}).delay == 0 && copied_out.count(channel) == 0;
  };
  std::map<int, int> first;  // by channel: the first that moves on with it
  std::map<int, int> members;
  for (const auto& [channel, own] : moves) {
    if (!may_share(channel)) continue;
    // It must move with all that share the cursor: a role that separates two of them may have no statement of a third.
    const auto joins = [&, of = channel, &own = own](int leader) {
      return program.channel({leader}).slots == program.channel({of}).slots &&
             std::all_of(first.begin(), first.end(), [&](const auto& each) {
               return each.second != leader || cursors::move_together(own, moves.at(each.first), program.roles.size());
             });
    };
    const auto found =
        std::find_if(members.begin(), members.end(), [&](const auto& each) { return joins(each.first); });
    const int leader = found == members.end() ? channel : found->first;
    first[channel] = leader;
    ++members[leader];
  }
  const std::set<int> made = computed_operands(program);
  const auto own_suffix = [&](int channel) {
    return made.count(channel) > 0 || tile::is_staged_between(program, {channel})
               ? "_" + program.channel({channel}).members.front().name
               : channel_suffix(program, {channel});
  };
  // The names without a suffix are those of the only ring of its kind, or else of the first shared cursor.
  int plain = -1;
  for (const auto& [channel, own] : moves) {
    if (copied_out.count(channel) == 0 && own_suffix(channel).empty())
      plain = first.count(channel) ? first.at(channel) : channel;
  }
  std::map<int, std::string> out;
  for (const auto& [leader, count] : members) {
    if (count < 2) continue;
    if (plain < 0) plain = leader;
    const std::string suffix = plain == leader ? "" : own_suffix(leader);
    for (const auto& [channel, of] : first) {
      if (of == leader) out[channel] = suffix;
    }
  }
  return out;
}

std::optional<std::string> cursor_of(const tile::Program& program, tile::ChannelId channel) {
  const std::map<int, std::string> shared = shared_cursors(program);
  const auto found = shared.find(channel.index);
  return found == shared.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace pallasgen
