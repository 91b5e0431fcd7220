#include "protocol/operand_protocol.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "layout/warps.h"
#include "questions/computed_operands.h"
#include "tile/walk.h"
#include "tile/warpgroups.h"

namespace pallasgen {

namespace operand_protocols {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Block, tile::ChannelId, tile::FenceProxy, tile::Put, tile::Statement, tile::Sync;

class OperandProtocol {
 public:
  OperandProtocol(const tile::Program& program, const tile::Role& role)
      : program_(program),
        made_(computed_operands(program)),
        several_(role.warps > kWarpsOfGroup),
        within_(tile::channels_within_warpgroups(program, role)) {}

  // The channels that are filled before and after a block or a statement, other runs of it included.
  struct Filled {
    std::set<int> earlier = {}, later = {};
  };

  void block(Block& statements, const Filled& around) const {
    if (made_.empty()) return;
    Block out;
    Filled of = around;
    std::set<int> again = around.earlier;  // channels whose current entry is not the first one
    std::map<int, int> unseen;  // values got from entries that not all threads have written, with their channels
    std::vector<std::set<int>> later{
        around.later};  // by statement from the last one on: the channels that are filled later
    for (size_t i = statements.size(); i-- > 0;) later.push_back(with(later.back(), filled_by(statements[i])));
    for (Statement& statement : statements) {
      later.pop_back();
      const std::set<int> filled = filled_by(statement);
      const std::set<int> in_other_runs = tile::repeats(statement) ? filled : std::set<int>();
      for (Block* inner : tile::blocks_of(statement))
        block(*inner, {with(of.earlier, in_other_runs), with(later.back(), in_other_runs)});
      std::copy_if(filled.begin(), filled.end(), std::inserter(again, again.end()),
                   [&](int channel) { return of.earlier.count(channel) > 0; });
      of = {with(of.earlier, filled), with(later.back(), filled)};
      const std::set<int> used = tile::touched(program_, statement).reads;
      if (std::any_of(used.begin(), used.end(), [&](int value) { return unseen.count(value) > 0; }))
        meet(statement.span, shared(again, of.later), unseen, out);
      const tile::Get* get = statement.as<tile::Get>();
      if (get && is_made(get->entry)) unseen[get->value.index] = get->entry.channel.index;
      const Put* put = statement.as<Put>();
      // With a second slot, the sync after the previous entry proves that the one before it has been read.
      if (put && is_made(put->entry) && program_.channel(put->entry.channel).slots.value_or(1) == 1 &&
          within_.count(put->entry.channel.index) == 0)
        out.push_back({statement.span, "", Sync{.orders = {.read = {put->entry.channel}}}});
      out.push_back(std::move(statement));
    }
    if (!unseen.empty()) meet(out.back().span, shared(again, around.later), unseen, out);
    statements = std::move(out);
  }

  // Moves a channel on after the use of an entry: before the next one is filled, or at the end of the block.
  void advance(Block& statements) const {
    std::vector<ChannelId> used;
    Block out;
    for (Statement& statement : statements) {
      const std::set<int> filled = filled_by(statement);
      for (ChannelId channel : used) {
        if (filled.count(channel.index)) out.push_back({statement.span, "", tile::Advance{channel}});
      }
      std::erase_if(used, [&](ChannelId channel) { return filled.count(channel.index) > 0; });
      for (Block* inner : tile::blocks_of(statement)) advance(*inner);
      const tile::Get* get = statement.as<tile::Get>();
      if (get && is_made(get->entry) && !std::count(used.begin(), used.end(), get->entry.channel))
        used.push_back(get->entry.channel);
      out.push_back(std::move(statement));
    }
    const Span span = out.empty() ? Span() : out.back().span;
    for (ChannelId channel : used) out.push_back({span, "", tile::Advance{channel}});
    statements = std::move(out);
  }

 private:
  bool is_made(const tile::Entry& entry) const { return made_.count(entry.channel.index) > 0; }
  // The channels of which the statement, or one inside it, fills entries.
  std::set<int> filled_by(const Statement& statement) const {
    std::set<int> found;
    tile::for_each_statement({statement}, [&](const Statement& inner) {
      const Put* put = inner.as<Put>();
      if (put && is_made(put->entry)) found.insert(put->entry.channel.index);
    });
    return found;
  }

  static std::set<int> with(std::set<int> channels, const std::set<int>& more) {
    channels.insert(more.begin(), more.end());
    return channels;
  }
  static std::set<int> shared(std::set<int> channels, const std::set<int>& others) {
    std::erase_if(channels, [&](int channel) { return others.count(channel) == 0; });
    return channels;
  }

  // Inserts the sync before a turn is taken: other warpgroups wait while one has its turn. `refilled`: the
  // channels with entries before it that others fill the slots of after it.
  void meet(Span span, const std::set<int>& refilled, std::map<int, int>& unseen, Block& out) const {
    auto at = out.end();
    for (auto turn = out.end(); turn != out.begin() && !(turn - 1)->as<tile::PassTurn>(); --turn) {
      if ((turn - 1)->as<tile::TakeTurn>()) at = turn - 1;
    }
    while (at != out.end() && at != out.begin() && (at - 1)->as<tile::Get>()) --at;
    std::set<int> channels;
    for (const auto& [value, channel] : unseen) channels.insert(channel);
    const bool within = several_ && std::all_of(channels.begin(), channels.end(),
                                                [&](int channel) { return within_.count(channel) > 0; });
    tile::Orders fenced, met;
    for (int channel : channels) {
      fenced.filled.push_back({channel});
      const bool apart = program_.channel({channel}).slots.value_or(1) > 1;  // one slot has a sync of its own
      if (apart && refilled.count(channel) > 0) met.read.push_back({channel});
    }
    met.filled = fenced.filled;
    at = out.insert(at, {span, "", Sync{within ? tile::SyncOf::warpgroup : tile::SyncOf::role, met}});
    out.insert(at, {span, "", FenceProxy{fenced}});
    unseen.clear();
  }

  const tile::Program& program_;
  const std::set<int> made_;
  const bool several_;          // has several warpgroups
  const std::set<int> within_;  // channels whose entries only their own warpgroup reads
};

}  // namespace operand_protocols

void insert_operand_protocol(const tile::Program& program, tile::Role& role) {
  operand_protocols::OperandProtocol(program, role).block(role.body, {});
}

void advance_operands(const tile::Program& program, tile::Role& role) {
  operand_protocols::OperandProtocol(program, role).advance(role.body);
}

}  // namespace pallasgen
