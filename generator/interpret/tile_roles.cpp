#include "tile_roles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <memory>

#include "fault.h"
#include "interleaving.h"
#include "interpret/rules.h"
#include "random_stream.h"
#include "tile_runner.h"

namespace pallasgen::interpreter {

namespace {

std::string name_of_entry(const tile::Program& program, const tile::Entry& entry, const std::vector<int64_t>& at) {
  const tile::Channel& channel = program.channel(entry.channel);
  return fmt::format("{}[{}].{}", channel.name, fmt::join(at, ", "),
                     channel.members[static_cast<size_t>(entry.member)].name);
}

// The entries on their way, by channel and member.
using Entries = std::vector<std::vector<std::deque<Channels::Given>>>;

class Crossing : public Channels {
 public:
  Crossing(const tile::Program& program, const Interleaving::Wait& wait, Entries& given)
      : program_(program), wait_(wait), given_(given) {}

  void put(const tile::Entry& entry, Given value, Span span) override {
    std::deque<Given>& entries = entries_of(entry);
    const tile::Channel& channel = program_.channel(entry.channel);
    // Roles that wait for each other must not need more than one; who fills an entry and uses it may go ahead.
    const size_t most = channel.from == channel.to ? static_cast<size_t>(channel.slots.value_or(1)) : 1;
    if (!wait_([&] { return entries.size() < most; }))
      throw Fault{kRunEntry, span,
                  fmt::format("{} waits for ever to be put", name_of_entry(program_, entry, value.at))};
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
    Value value = std::move(entries.front().value);
    entries.pop_front();
    return value;
  }

 private:
  std::deque<Given>& entries_of(const tile::Entry& entry) {
    return given_[static_cast<size_t>(entry.channel.index)][static_cast<size_t>(entry.member)];
  }

  const tile::Program& program_;
  const Interleaving::Wait& wait_;
  Entries& given_;
};

}  // namespace

void run_tile_program(const tile::Program& program, Environment& environment, StatementRunner& runner,
                      const InterpretOptions& options) {
  if (program.channels.empty()) return TileRunner(program, program.roles.front(), environment, runner, nullptr).run();
  Entries given;
  for (const tile::Channel& channel : program.channels) given.emplace_back(channel.members.size());
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
        Crossing crossing(program, wait, given);
        TileRunner(program, program.roles[role], own, statements, &crossing).run();
      },
      pick);
  for (size_t i = 0; i < given.size(); ++i) {
    for (const std::deque<Channels::Given>& left : given[i]) {
      if (!left.empty())
        throw Fault{kRunEntry, {}, fmt::format("an entry of channel '{}' is left", program.channels[i].name)};
    }
  }
}

}  // namespace pallasgen::interpreter
