#include "role_protocol.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "tile/walk.h"

namespace pallasgen {

namespace protocols {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Advance, tile::Assign, tile::Block, tile::Channel, tile::ChannelId, tile::Dot, tile::Expect,
    tile::FenceProxy, tile::Fill, tile::For, tile::Freed, tile::Get, tile::PathKind, tile::Program, tile::Put,
    tile::Release, tile::Role, tile::Statement, tile::Sync, tile::ValueId, tile::WaitFree, tile::WaitFull,
    tile::WaitMma;

// A channel in one block of the role that uses it.
struct Used {
  ChannelId channel;
  std::set<int> values;        // got from it
  size_t first = 0, last = 0;  // the statements that get it and that use it last
  bool by_threads = false;     // some of them read it by themselves
  bool running = false;        // instructions that read it still run behind the statement that started them
};

class Between {
 public:
  Between(const Program& program, const Role& role) : program_(program), role_(role) {
    for (const Role& other : program.roles) {
      tile::for_each_statement(other.body, [&](const Statement& statement) {
        const Put* put = statement.as<Put>();
        if (put && tile::is_by_unit(put->path.kind)) by_unit_.insert(put->entry.channel.index);
      });
    }
  }

  void block(Block& statements, bool in_loop) {
    Block out;
    for (Statement& statement : statements) {
      For* loop = statement.as<For>();
      for (Block* inner : blocks_of(statement)) block(*inner, loop != nullptr);
      const Span span = statement.span;
      std::vector<Statement> behind = loop ? behind_loop(*loop, span) : std::vector<Statement>();
      out.push_back(std::move(statement));
      std::move(behind.begin(), behind.end(), std::back_inserter(out));
    }
    statements = std::move(out);
    fill(statements);
    use(statements, in_loop);
  }

 private:
  bool is_filled(const Statement& statement) const {
    const Put* put = statement.as<Put>();
    if (!put || put->value) return false;
    const Channel& channel = program_.channel(put->entry.channel);
    return channel.from == role_.name && channel.to != role_.name;
  }
  bool is_used(const Get& get) const {
    const Channel& channel = program_.channel(get.entry.channel);
    return channel.to == role_.name && channel.from != role_.name;
  }

  // The copies of an entry stand together, behind the wait.
  void fill(Block& statements) const {
    std::set<int> done;
    Block out;
    std::vector<ChannelId> filled;
    for (size_t i = 0; i < statements.size(); ++i) {
      if (!is_filled(statements[i])) {
        out.push_back(std::move(statements[i]));
        continue;
      }
      const ChannelId channel = statements[i].as<Put>()->entry.channel;
      if (!done.insert(channel.index).second) continue;
      filled.push_back(channel);
      Block puts;
      for (size_t j = i; j < statements.size(); ++j) {
        if (is_filled(statements[j]) && statements[j].as<Put>()->entry.channel == channel)
          puts.push_back(statements[j]);
      }
      const Span span = puts.front().span;
      const bool expects =
          std::all_of(puts.begin(), puts.end(), [](const Statement& put) { return tells_its_bytes(*put.as<Put>()); });
      out.push_back({span, "", WaitFree{channel}});
      if (expects) out.push_back({span, "", Expect{channel}});
      std::move(puts.begin(), puts.end(), std::back_inserter(out));
      if (!expects) out.push_back({span, "", Fill{channel}});
    }
    const Span span = out.empty() ? Span() : out.back().span;
    for (ChannelId channel : filled) out.push_back({span, "", Advance{channel}});
    statements = std::move(out);
  }

  std::vector<Used> used_in(const Block& statements) const {
    std::vector<Used> found;
    for (size_t i = 0; i < statements.size(); ++i) {
      const Get* get = statements[i].as<Get>();
      if (!get || !is_used(*get)) continue;
      const auto same = [&](const Used& used) { return used.channel == get->entry.channel; };
      auto used = std::find_if(found.begin(), found.end(), same);
      if (used == found.end()) used = found.insert(found.end(), {get->entry.channel, {}, i, i});
      used->values.insert(get->value.index);
    }
    for (Used& used : found) {
      for (size_t i = used.first; i < statements.size(); ++i) note_use(statements[i], i, used);
    }
    return found;
  }
  static void note_use(const Statement& statement, size_t at, Used& used) {
    tile::for_each_statement(Block{statement}, [&](const Statement& inner) {
      const std::set<int> values = tile::used_by(inner);
      if (std::none_of(values.begin(), values.end(), [&](int value) { return used.values.count(value) > 0; })) return;
      used.last = at;
      const Dot* dot = inner.as<Dot>();
      const bool by_unit = dot && !dot->family.empty();
      used.by_threads = used.by_threads || !by_unit;
      used.running = used.running || (by_unit && dot->in_flight.value_or(0) > 0);
    });
  }

  // Whether nothing but reads of shared memory stands behind `from` up to and with `to`: what is freed at the one place
  // may as well be freed at the other.
  bool reads_alone(const Block& statements, size_t from, size_t to) const {
    return std::all_of(statements.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                       statements.begin() + static_cast<std::ptrdiff_t>(to) + 1, [&](const Statement& statement) {
                         const Assign* assign = statement.as<Assign>();
                         const auto* read = assign && assign->expr ? assign->expr->as<LocalUse>() : nullptr;
                         return statement.as<Get>() || (read && program_.value({read->id}).home == tile::Home::shared);
                       });
  }

  void use(Block& statements, bool in_loop) const {
    std::vector<Used> found = used_in(statements);
    std::stable_sort(found.begin(), found.end(), [](const Used& a, const Used& b) { return a.last < b.last; });
    for (size_t i = found.size(); i-- > 1;) {
      if (reads_alone(statements, found[i - 1].last, found[i].last)) found[i - 1].last = found[i].last;
    }
    Block out;
    for (size_t i = 0; i < statements.size(); ++i) {
      const Span span = statements[i].span;
      for (const Used& used : found) {
        if (used.first == i) out.push_back({span, "", WaitFull{used.channel}});
      }
      const Dot* dot = statements[i].as<Dot>();
      const bool runs = dot && !dot->family.empty();
      const int64_t in_flight = runs ? dot->in_flight.value_or(0) : 0;
      const std::vector<ValueId> final = runs && in_flight == 0 ? std::vector{dot->value} : std::vector<ValueId>();
      out.push_back(std::move(statements[i]));
      if (runs) out.push_back({span, "", WaitMma{in_flight, final}});
      free(found, i, in_loop, span, out);
    }
    const Span span = out.empty() ? Span() : out.back().span;
    std::sort(found.begin(), found.end(), [](const Used& a, const Used& b) { return a.first < b.first; });
    for (const Used& used : found) out.push_back({span, "", Advance{used.channel}});
    statements = std::move(out);
  }

  void free(const std::vector<Used>& found, size_t at, bool in_loop, Span span, Block& out) const {
    const auto here = [&](const Used& used) { return used.last == at; };
    if (std::none_of(found.begin(), found.end(), here)) return;
    const auto read = [&](const Used& used) { return here(used) && used.by_threads; };
    // Waiting for the readers does not order their reads before what a unit writes.
    const auto read_before_unit = [&](const Used& used) {
      return read(used) && by_unit_.count(used.channel.index) > 0;
    };
    if (std::any_of(found.begin(), found.end(), read_before_unit)) out.push_back({span, "", FenceProxy{}});
    if (std::any_of(found.begin(), found.end(), read)) out.push_back({span, "", Sync{true}});
    for (const Used& used : found) {
      if (!here(used)) continue;
      const bool later = in_loop && (used.running || program_.channel(used.channel).delay > 0);
      out.push_back({span, "", Release{used.channel, later ? Freed::previous : Freed::entry}});
    }
  }

  // What its last turn leaves: instructions that run, and entries that they read.
  std::vector<Statement> behind_loop(const For& loop, Span span) const {
    std::vector<Statement> out;
    WaitMma wait;
    for (const Statement& statement : loop.body) {
      const Dot* dot = statement.as<Dot>();
      if (dot && !dot->family.empty() && dot->in_flight.value_or(0) > 0) wait.values.push_back(dot->value);
    }
    if (!wait.values.empty()) out.push_back({span, "", std::move(wait)});
    for (const Statement& statement : loop.body) {
      const Release* release = statement.as<Release>();
      if (release && release->which == Freed::previous)
        out.push_back({span, "", Release{release->channel, Freed::last}});
    }
    return out;
  }

  const Program& program_;
  const Role& role_;
  std::set<int> by_unit_;  // channels that units fill
};

}  // namespace protocols

void insert_role_protocol(const tile::Program& program, tile::Role& role) {
  protocols::Between(program, role).block(role.body, false);
}

}  // namespace pallasgen
