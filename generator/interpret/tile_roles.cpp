#include "tile_roles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <functional>

#include "fault.h"
#include "interleaving.h"
#include "interpret/rules.h"
#include "random_stream.h"
#include "role_order.h"
#include "tile/walk.h"
#include "tile_runner.h"

namespace pallasgen::interpreter {

namespace {

std::string name_of_entry(const tile::Program& program, const tile::Entry& entry, const std::vector<int64_t>& at) {
  const tile::Channel& channel = program.channel(entry.channel);
  return fmt::format("{}[{}].{}", channel.name, fmt::join(at, ", "),
                     channel.members[static_cast<size_t>(entry.member)].name);
}

// A channel while the roles run: its entries on their way, by member, and, if the protocol waits until entries are free
// or full, how many were.
struct Underway {
  std::vector<std::deque<Channels::Given>> entries;
  std::vector<int64_t> put, got;  // by member
  bool says_free = false, says_full = false;
  int64_t free = 0, full = 0, released = 0;
};
using Entries = std::vector<Underway>;

class Crossing : public Channels {
 public:
  // `order` may be null: the program does not order what the role does yet.
  Crossing(const tile::Program& program, const Interleaving::Wait& wait, Entries& given, RoleOrder* order)
      : program_(program), wait_(wait), given_(given), order_(order) {}

  void put(const tile::Entry& entry, Given value, Span span) override {
    Underway& channel = underway(entry.channel);
    std::deque<Given>& entries = entries_of(entry);
    const size_t most = most_entries(channel, entry.channel);
    if (!wait_([&] { return entries.size() < most; }))
      throw Fault{kRunEntry, span,
                  fmt::format("{} waits for ever to be put", name_of_entry(program_, entry, value.at))};
    if (channel.says_free && channel.put[member(entry)] >= channel.free)
      throw Fault{
          kRunEntry, span,
          fmt::format("{} is put, and nobody has waited until it is free", name_of_entry(program_, entry, value.at))};
    ++channel.put[member(entry)];
    entries.push_back(std::move(value));
  }
  Value get(const tile::Entry& entry, const std::vector<int64_t>& at, Span span) override {
    std::deque<Given>& entries = entries_of(entry);
    if (!wait_([&] { return !entries.empty(); }))
      throw Fault{kRunEntry, span,
                  fmt::format("{} is waited for, and is never put", name_of_entry(program_, entry, at))};
    if (entries.front().at != at) {
      throw Fault{kRunEntry, span,
                  fmt::format("{} is wanted, and {} comes next", name_of_entry(program_, entry, at),
                              name_of_entry(program_, entry, entries.front().at))};
    }
    Underway& channel = underway(entry.channel);
    if (channel.says_full && channel.got[member(entry)] >= channel.full)
      throw Fault{
          kRunEntry, span,
          fmt::format("{} is used, and nobody has waited until it has arrived", name_of_entry(program_, entry, at))};
    ++channel.got[member(entry)];
    Value value = std::move(entries.front().value);
    entries.pop_front();
    return value;
  }
  void meet(const tile::Statement& statement) override {
    if (const auto* wait = statement.as<tile::WaitFree>()) {
      Underway& channel = underway(wait->channel);
      const int64_t slots = program_.channel(wait->channel).slots.value_or(1);
      wait_for(wait->channel, statement.span, "free", [&] { return channel.free - channel.released < slots; });
      ++channel.free;
    }
    if (const auto* wait = statement.as<tile::WaitFull>()) {
      Underway& channel = underway(wait->channel);
      wait_for(wait->channel, statement.span, "full",
               [&] { return *std::min_element(channel.put.begin(), channel.put.end()) > channel.full; });
      ++channel.full;
    }
    if (const auto* release = statement.as<tile::Release>()) release_entry(*release, statement.span);
  }
  void before(const tile::Statement& statement, int64_t ahead) override {
    if (order_) order_->before(statement, ahead);
  }

 private:
  void wait_for(tile::ChannelId id, Span span, const char* what, const std::function<bool()>& is_so) {
    if (!wait_(is_so))
      throw Fault{kRunEntry, span,
                  fmt::format("an entry of channel '{}' never becomes {}", program_.channel(id).name, what)};
  }
  void release_entry(const tile::Release& release, Span span) {
    Underway& channel = underway(release.channel);
    const int64_t held = channel.full - channel.released;
    const int64_t least = release.which == tile::Freed::previous ? 1 : 0;
    if (release.which != tile::Freed::entry && held <= least) return;  // there is none
    const int64_t used = *std::min_element(channel.got.begin(), channel.got.end());
    if (held != least + 1 || channel.released >= used)
      throw Fault{kRunEntry, span,
                  fmt::format("an entry of channel '{}' is freed while {}", program_.channel(release.channel).name,
                              held > least + 1 ? "others before it are not" : "it is not used")};
    ++channel.released;
  }

  // A channel between roles holds one entry, as roles that wait for each other must not need more, unless the protocol
  // waits for free or full entries. A role that both fills and uses entries may run ahead.
  size_t most_entries(const Underway& underway, tile::ChannelId id) const {
    const tile::Channel& channel = program_.channel(id);
    const bool several = channel.from == channel.to || underway.says_free || underway.says_full;
    return several ? static_cast<size_t>(channel.slots.value_or(1)) : 1;
  }
  Underway& underway(tile::ChannelId id) { return given_[static_cast<size_t>(id.index)]; }
  static size_t member(const tile::Entry& entry) { return static_cast<size_t>(entry.member); }
  std::deque<Given>& entries_of(const tile::Entry& entry) { return underway(entry.channel).entries[member(entry)]; }

  const tile::Program& program_;
  const Interleaving::Wait& wait_;
  Entries& given_;
  RoleOrder* order_;
};

}  // namespace

void run_tile_program(const tile::Program& program, Environment& environment, StatementRunner& runner,
                      const InterpretOptions& options) {
  if (program.channels.empty() && !has_several_roles(program))
    return TileRunner(program, computing_role(program), environment, runner, nullptr).run();
  Entries given;
  for (const tile::Channel& channel : program.channels) {
    const size_t members = channel.members.size();
    given.push_back({std::vector<std::deque<Channels::Given>>(members), std::vector<int64_t>(members),
                     std::vector<int64_t>(members)});
  }
  for (const tile::Role& role : program.roles) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      if (const auto* wait = statement.as<tile::WaitFree>())
        given[static_cast<size_t>(wait->channel.index)].says_free = true;
      if (const auto* wait = statement.as<tile::WaitFull>())
        given[static_cast<size_t>(wait->channel.index)].says_full = true;
    });
  }
  RandomStream random(options.seed, "roles");
  const auto pick = [&](size_t can) -> size_t {
    switch (options.roles) {
      case ProgramOrder::row_major:
        return 0;
      case ProgramOrder::reversed:
        return can - 1;
      case ProgramOrder::random:
        return static_cast<size_t>(random.next() % can);
    }
    return 0;
  };
  const Environment start = environment;
  Interleaving::run(
      program.roles.size(),
      [&](size_t role, const Interleaving::Wait& wait) {
        Environment own = start;
        StatementRunner statements(own, options.print);
        std::optional<RoleOrder> order;
        if (program.pass == tile::kOrdered) order.emplace(program, program.roles[role]);
        Crossing crossing(program, wait, given, order ? &*order : nullptr);
        TileRunner(program, program.roles[role], own, statements, &crossing).run();
        if (order) order->end();
      },
      pick);
  for (size_t i = 0; i < given.size(); ++i) {
    for (const std::deque<Channels::Given>& left : given[i].entries) {
      if (!left.empty())
        throw Fault{kRunEntry, {}, fmt::format("an entry of channel '{}' is left", program.channels[i].name)};
    }
  }
}

}  // namespace pallasgen::interpreter
