#include "protocol/channel_statements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string_view>

#include "questions/computed_operands.h"
#include "questions/staged_store.h"
#include "questions/used_entries.h"
#include "tile/text.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// What a channel is to a role, as bits so that a row of the table can name several.
enum Kind : unsigned {
  kNone = 0,
  kFills = 1,           // another role uses the entries
  kUses = 2,            // another role fills them
  kCopies = 4,          // the role's threads copy blocks to entries that they use
  kComputes = 8,        // they put operands there that their instructions read
  kStages = 16,         // they put values there that copies take to memory
  kStagesForRole = 32,  // the same, where another role copies
  kTakesToMemory = 64,  // the role copies what another one has put there
};
constexpr unsigned kAll = 127;

constexpr const char* kWords[] = {"it fills",
                                  "it uses",
                                  "its copies fill",
                                  "its instructions read",
                                  "its loops have stored to memory",
                                  "it stages for another role",
                                  "it takes to memory"};

std::string words_of(unsigned kinds) {
  std::vector<std::string> words;
  for (size_t i = 0; i < std::size(kWords); ++i) {
    if (kinds >> i & 1) words.emplace_back(kWords[i]);
  }
  return fmt::format("{}", fmt::join(words, " or "));
}

// The kinds of channels of which a role can have the statement.
template <class T>
constexpr unsigned kKindsOf = kAll;
template <>
constexpr unsigned kKindsOf<tile::WaitFree> = kFills | kStagesForRole;
template <>
constexpr unsigned kKindsOf<tile::Expect> = kFills;
template <>
constexpr unsigned kKindsOf<tile::Fill> = kFills | kStagesForRole;
template <>
constexpr unsigned kKindsOf<tile::WaitFull> = kUses | kTakesToMemory;
template <>
constexpr unsigned kKindsOf<tile::Release> = kUses | kTakesToMemory;
template <>
constexpr unsigned kKindsOf<tile::Advance> = kAll & ~kStages;
template <>
constexpr unsigned kKindsOf<tile::WaitCopies> = kCopies;
template <>
constexpr unsigned kKindsOf<tile::Sync> = kAll & ~kStages;
template <>
constexpr unsigned kKindsOf<tile::FenceProxy> = kAll & ~kStages;
template <>
constexpr unsigned kKindsOf<tile::WaitStores> = kStages | kTakesToMemory;
template <>
constexpr unsigned kKindsOf<tile::Put> = kFills | kCopies | kComputes;
template <>
constexpr unsigned kKindsOf<tile::Get> = kUses | kCopies | kComputes;

class Statements {
 public:
  Statements(const tile::Program& program, const tile::Role& role, std::vector<std::string>& wrong)
      : program_(program),
        role_(role),
        computed_(computed_operands(program)),
        refilled_(refilled_channels(program)),
        wrong_(wrong) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* put = statement.as<tile::Put>();
      if (put && !put->value) {
        copied_.insert(put->entry.channel.index);
        const bool by_unit = tile::is_by_unit(put->path.kind);
        if (by_unit_.try_emplace(put->entry.channel.index, by_unit).first->second != by_unit)
          wrong_.push_back(fmt::format("role '{}' fills '{}' by a unit and by threads", role_.name,
                                       program_.channel(put->entry.channel).name));
      }
      const auto* dot = dot_if(statement, &tile::Product::runs_on);
      if (!dot) return;
      running_.insert(dot->value.index);
      const std::set<int> operands = tile::used_by(statement);
      running_.insert(operands.begin(), operands.end());
    });
  }

  void block(const tile::Block& statements) {
    for (const tile::Statement& statement : statements) {
      if (is_staged_store(program_, statement)) {
        tile::for_each_statement({statement}, [&](const tile::Statement& inner) {
          if (const auto* put = inner.as<tile::Put>()) stored_.insert(put->entry.channel.index);
        });
        continue;
      }
      const auto* get = statement.as<tile::Get>();
      if (get && get->rows) bounded_.insert(get->value.index);
      for (const tile::Block* inner : tile::blocks_of(statement)) block(*inner);
      std::visit([&](const auto& node) { check(node, statement); }, statement.node);
    }
  }

 private:
  std::string line_of(const tile::Statement& statement) const {
    const std::string text = tile::to_text(program_, {statement});
    return text.substr(0, text.find('\n'));
  }

  // Of channels that stage the role's own stores, only a wait stands outside the loop that stores, and behind it.
  unsigned kind_of(tile::ChannelId id) const {
    const tile::Channel& channel = program_.channel(id);
    const bool from = channel.from == role_.name, to = channel.to == role_.name;
    if (!from && !to) return kNone;
    const bool staged = tile::is_staged_between(program_, id);
    if (!to) return staged ? kStagesForRole : kFills;
    if (!from) return staged ? kTakesToMemory : kUses;
    return copied_.count(id.index)     ? kCopies
           : computed_.count(id.index) ? kComputes
           : stored_.count(id.index)   ? kStages
                                       : kNone;
  }

  void allow(tile::ChannelId channel, unsigned kinds, const tile::Statement& statement) {
    if ((kind_of(channel) & kinds) != 0) return;
    wrong_.push_back(fmt::format("'{}' in role '{}' goes with channels that {}, and '{}' is none of these",
                                 line_of(statement), role_.name, words_of(kinds), program_.channel(channel).name));
  }

  template <class T>
  void check(const T& node, const tile::Statement& statement) {
    if constexpr (requires { node.channel; }) allow(node.channel, kKindsOf<T>, statement);
    if constexpr (std::is_same_v<T, tile::WaitFree> || std::is_same_v<T, tile::Release>)
      if (refilled_.count(node.channel) == 0 && !tile::is_staged_between(program_, node.channel))
        wrong_.push_back(fmt::format("role '{}' has '{}', and no slot of '{}' is filled again", role_.name,
                                     line_of(statement), program_.channel(node.channel).name));
    if constexpr (requires { node.channels; })
      for (tile::ChannelId channel : node.channels) allow(channel, kKindsOf<T>, statement);
    if constexpr (requires { node.entry; }) allow(node.entry.channel, kKindsOf<T>, statement);
    if constexpr (requires { node.orders; })
      for (const auto* channels : {&node.orders.filled, &node.orders.read})
        for (tile::ChannelId channel : *channels) allow(channel, kKindsOf<T>, statement);
    if constexpr (std::is_same_v<T, tile::WaitMma>)
      for (tile::ValueId value : node.values) expect(running_, value, "no instructions run on for", statement);
    if constexpr (std::is_same_v<T, tile::Clear>)
      expect(bounded_, node.value, "no get says how many rows count of", statement);
  }

  void expect(const std::set<int>& values, tile::ValueId value, std::string_view why,
              const tile::Statement& statement) {
    if (values.count(value.index) > 0) return;
    wrong_.push_back(fmt::format("role '{}' has '{}', and {} '{}'", role_.name, line_of(statement), why,
                                 program_.value(value).name));
  }

  const tile::Program& program_;
  const tile::Role& role_;
  const std::set<int> computed_;
  const std::set<tile::ChannelId> refilled_;
  std::map<int, bool> by_unit_;  // by channel that the role's copies fill: whether a unit copies
  std::set<int> copied_;         // channels that the role's copies fill
  std::set<int> stored_;         // channels that the loops so far have taken to memory
  std::set<int> bounded_;        // values so far of which only so many rows count
  std::set<int> running_;        // values of products that run on, and their operands
  std::vector<std::string>& wrong_;
};

}  // namespace

std::vector<std::string> verify_channel_statements(const tile::Program& program) {
  std::vector<std::string> wrong;
  for (const tile::Role& role : program.roles) Statements(program, role, wrong).block(role.body);
  return wrong;
}

}  // namespace pallasgen
