#include "protocol/role_protocol.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "protocol/wait_ahead.h"
#include "questions/used_entries.h"
#include "tile/walk.h"

namespace pallasgen {

namespace protocols {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Advance, tile::Assign, tile::Block, tile::Channel, tile::ChannelId, tile::Dot, tile::Expect,
    tile::FenceProxy, tile::Fill, tile::For, tile::Freed, tile::Get, tile::PathKind, tile::Program, tile::Put,
    tile::Release, tile::Role, tile::Statement, tile::Sync, tile::ValueId, tile::WaitFree, tile::WaitFull,
    tile::WaitMma;

// Matrix instructions that run while the statements after them do, until a statement touches their accumulator or
// defines their operands in registers anew.
struct Group {
  ValueId value;
  std::set<int> operands;         // values in registers
  std::vector<UsedEntry*> reads;  // entries
  std::set<int> own;              // channels of the role's own, with one slot, that they read
};

// The place of a block: the statements at its end run once in each iteration of a loop or tile, or just once.
enum class Place : uint8_t { once, turn, tile };

using Channels = std::set<ChannelId>;

class RoleProtocol {
 public:
  RoleProtocol(const Program& program, const Role& role)
      : program_(program), role_(role), refilled_(refilled_channels(program)) {
    for (const Role& other : program.roles) {
      tile::for_each_statement(other.body, [&](const Statement& statement) {
        const Put* put = statement.as<Put>();
        if (put && tile::is_by_unit(put->path.kind)) by_unit_.insert(put->entry.channel.index);
      });
    }
    tile::for_each_statement(role.body, [&](const Statement& statement) {
      const Get* get = statement.as<Get>();
      const Channel* channel = get ? &program.channel(get->entry.channel) : nullptr;
      if (channel && channel->from == channel->to && channel->slots.value_or(1) == 1)
        own_[get->value.index] = get->entry.channel.index;
    });
  }

  // `later`: the channels of which the role uses entries after the block, or in another run of it.
  void block(Block& statements, Place place, const Channels& later) {
    Block out;
    const std::vector<Channels> behind = channels_used_behind(statements, later);
    for (size_t i = 0; i < statements.size(); ++i) {
      Statement& statement = statements[i];
      For* loop = statement.as<For>();
      const bool skips = place == Place::tile && program_.declarations->skip && statements.size() == 1;
      const bool of_tile = statement.as<tile::ForTiles>() || (skips && statement.as<tile::If>());
      const Place inner_place = loop ? Place::turn : of_tile ? Place::tile : Place::once;
      Channels inner_later = behind[i];
      if (tile::repeats(statement)) inner_later.merge(channels_used_in(statement));
      for (Block* inner : blocks_of(statement)) block(*inner, inner_place, inner_later);
      std::vector<Statement> ends = loop ? wait_after_loop(*loop, statement.span, behind[i]) : std::vector<Statement>();
      out.push_back(std::move(statement));
      std::move(ends.begin(), ends.end(), std::back_inserter(out));
    }
    statements = std::move(out);
    fill_entries(statements, place);
    order_block(statements, place, later);
  }

 private:
  bool is_filled(const Statement& statement) const {
    const Put* put = statement.as<Put>();
    if (!put || put->value) return false;
    const Channel& channel = program_.channel(put->entry.channel);
    return channel.from == role_.name && channel.to != role_.name;
  }
  bool is_used(const Get& get) const { return uses(program_, role_, get.entry.channel); }
  // The channels of which the block has one entry in an iteration, so that they move on with it.
  static std::set<ChannelId> moving_with(const Block& statements, Place place) {
    std::map<ChannelId, std::set<std::string>> entries;
    for (const Statement& statement : statements) {
      const Put* put = statement.as<Put>();
      const Get* get = statement.as<Get>();
      if (const tile::Entry* entry = put ? &put->entry : get ? &get->entry : nullptr)
        entries[entry->channel].insert(coordinates(*entry));
      tile::for_each_statement(Block{statement}, [&](const Statement& inner) {
        if (const Advance* advance = inner.as<Advance>()) entries[advance->channel].insert("inside");
      });
    }
    std::set<ChannelId> out;
    for (const auto& [channel, of] : entries) {
      if (place != Place::once && of.size() == 1) out.insert(channel);
    }
    return out;
  }

  // Places the copies of an entry together, after the wait.
  void fill_entries(Block& statements, Place place) const {
    const std::set<ChannelId> with_turn = moving_with(statements, place);
    std::set<std::pair<int, std::string>> done;
    Block out;
    std::vector<ChannelId> filled;
    for (size_t i = 0; i < statements.size(); ++i) {
      if (!is_filled(statements[i])) {
        out.push_back(std::move(statements[i]));
        continue;
      }
      const tile::Entry entry = statements[i].as<Put>()->entry;
      if (!done.insert({entry.channel.index, coordinates(entry)}).second) continue;
      Block puts;
      for (size_t j = i; j < statements.size(); ++j) {
        const Put* put = is_filled(statements[j]) ? statements[j].as<Put>() : nullptr;
        if (put && put->entry.channel == entry.channel && coordinates(put->entry) == coordinates(entry))
          puts.push_back(statements[j]);
      }
      const Span span = puts.front().span;
      const bool expects =
          std::all_of(puts.begin(), puts.end(), [](const Statement& put) { return reports_bytes(*put.as<Put>()); });
      if (refilled_.count(entry.channel)) out.push_back({span, "", WaitFree{entry.channel}});
      if (expects) out.push_back({span, "", Expect{entry.channel}});
      std::move(puts.begin(), puts.end(), std::back_inserter(out));
      if (!expects) out.push_back({span, "", Fill{entry.channel}});
      if (with_turn.count(entry.channel))
        filled.push_back(entry.channel);
      else
        out.push_back({span, "", Advance{entry.channel}});
    }
    const Span span = out.empty() ? Span() : out.back().span;
    for (ChannelId channel : filled) out.push_back({span, "", Advance{channel}});
    statements = std::move(out);
  }

  // True if the statements after `from`, up to and including `to`, only read shared memory: an entry freed at one place
  // may then be freed at the other.
  bool only_read_shared(const Block& statements, size_t from, size_t to) const {
    return std::all_of(statements.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                       statements.begin() + static_cast<std::ptrdiff_t>(to) + 1, [&](const Statement& statement) {
                         const Assign* assign = statement.as<Assign>();
                         return statement.as<Get>() || (assign && tile::loaded_by(program_, *assign));
                       });
  }

  // The state of a walk over a block of the role.
  struct Walk {
    Place place;
    std::vector<UsedEntry> found;
    std::set<ChannelId> with_turn;    // channels that move on with its iterations
    std::vector<Group> running = {};  // in the order in which they started
    // The number of dots that run on while the next iteration starts, and the place of the last.
    int64_t running_on = 0;
    size_t last_running_on = 0;
    std::map<size_t, size_t> fences = {}, syncs = {};  // those already in the block: their places in `out`
    std::vector<Channels> behind = {};  // by statement: the channels of which later statements use entries
    Block out = {};

    // True if the threads meet in a sync after the statement `from` and before the statement `to`, with a fence before
    // it if `fenced`. Both then order reads of the channel, too.
    bool have_sync_between(size_t from, size_t to, bool fenced, ChannelId channel) {
      for (auto sync = syncs.upper_bound(from); sync != syncs.end() && sync->first < to; ++sync) {
        const auto fence = fences.upper_bound(from);
        if (fenced && (fence == fences.end() || fence->first > sync->first)) continue;
        if (fenced) note_read(out[fence->second].as<FenceProxy>()->orders, channel);
        note_read(out[sync->second].as<Sync>()->orders, channel);
        return true;
      }
      return false;
    }
    static void note_read(tile::Orders& orders, ChannelId channel) {
      if (std::count(orders.read.begin(), orders.read.end(), channel) == 0) orders.read.push_back(channel);
    }
  };

  // Moves each get of an entry that stays in shared memory to its first use, so that no wait for it comes sooner.
  void sink_gets(Block& statements) const {
    for (size_t i = statements.size(); i-- > 0;) {
      const Get* get = statements[i].as<Get>();
      if (!get || !is_used(*get) || program_.value(get->value).home != tile::Home::shared) continue;
      const int value = get->value.index;
      size_t to = i + 1;
      while (to < statements.size() && !tile::undefined_at_start(Block{statements[to]}).count(value)) ++to;
      if (to == statements.size()) continue;
      const auto at = statements.begin() + static_cast<std::ptrdiff_t>(i);
      if (get->rows) to = before_taken_turn(statements, to);
      if (to <= i) {
        std::rotate(statements.begin() + static_cast<std::ptrdiff_t>(to), at, at + 1);
        ++i;  // the statement before it is there now
        continue;
      }
      // Gets stay in order, and before a turn is taken, so that no other warpgroup waits for the entry too.
      while (to - 1 > i && (statements[to - 1].as<Get>() || statements[to - 1].as<tile::TakeTurn>())) --to;
      std::rotate(at, at + 1, statements.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }

  // The place before the turn that is taken around `place`, if there is one: threads that clear rows past a slice meet.
  static size_t before_taken_turn(const Block& statements, size_t place) {
    for (size_t i = place; i > 0; --i) {
      if (statements[i - 1].as<tile::PassTurn>()) break;
      if (statements[i - 1].as<tile::TakeTurn>()) return i - 1;
    }
    return place;
  }

  void order_block(Block& statements, Place place, const Channels& later) const {
    sink_gets(statements);
    Walk walk{place, used_entries(program_, role_, statements), moving_with(statements, place)};
    std::stable_sort(walk.found.begin(), walk.found.end(),
                     [](const UsedEntry& a, const UsedEntry& b) { return a.last < b.last; });
    for (size_t i = walk.found.size(); i-- > 1;) {
      if (only_read_shared(statements, walk.found[i - 1].last, walk.found[i].last))
        walk.found[i - 1].last = walk.found[i].last;
    }
    walk.behind = channels_used_behind(statements, later);
    for (size_t i = 0; i < statements.size(); ++i) {
      if (!runs_on(statements[i])) continue;
      ++walk.running_on;
      walk.last_running_on = i;
    }
    for (size_t i = 0; i < statements.size(); ++i) {
      const Span span = statements[i].span;
      wait_before(statements, i, span, walk);
      // A fence orders copies by threads before the instructions that read them.
      tile::Orders copied;
      for (const UsedEntry& used : walk.found) {
        if (used.first != i) continue;
        walk.out.push_back({span, "", WaitFull{used.channel}});
        if (used.by_units && by_unit_.count(used.channel.index) == 0) copied.filled.push_back(used.channel);
      }
      if (!copied.filled.empty()) walk.out.push_back({span, "", FenceProxy{copied}});
      const Get* get = statements[i].as<Get>();
      const ValueId cleared = get && get->rows ? get->value : ValueId();
      issue(statements[i], i, span, walk);
      if (cleared) walk.out.push_back({span, "", tile::Clear{cleared}});
      release_entries(i + 1, span, walk);
    }
    const Span span = walk.out.empty() ? Span() : walk.out.back().span;
    wait_for_groups(walk.running.size(), statements.size(), span, walk);
    std::sort(walk.found.begin(), walk.found.end(),
              [](const UsedEntry& a, const UsedEntry& b) { return a.first < b.first; });
    for (const UsedEntry& used : walk.found) {
      if (walk.with_turn.count(used.channel)) walk.out.push_back({span, "", Advance{used.channel}});
    }
    statements = std::move(walk.out);
  }

  static bool runs_on(const Statement& statement) {
    const Dot* dot = dot_if(statement, &tile::Product::runs_on);
    return dot && dot->in_flight.value_or(0) > 0;
  }

  // Ends the groups that the statement must not overlap with.
  void wait_before(const Block& statements, size_t at, Span span, Walk& walk) const {
    size_t count = 0;
    for (size_t i = 0; i < walk.running.size(); ++i) {
      if (conflicts(statements[at], walk.running[i])) count = i + 1;
    }
    wait_for_groups(count, at, span, walk);
  }
  bool conflicts(const Statement& statement, const Group& group) const {
    bool inside = false;  // the blocks of the statement have instructions or a protocol
    for (const Block* block : blocks_of(statement)) {
      tile::for_each_statement(*block, [&](const Statement& inner) {
        inside = inside || dot_if(inner, &tile::Product::runs_on) || tile::is_protocol(inner);
      });
    }
    if (inside) return true;
    const Put* put = statement.as<Put>();
    if (put && group.own.count(put->entry.channel.index)) return true;
    // All threads meet before they fill a slot again, when all of them have read what it holds.
    if (const Sync* sync = statement.as<Sync>())
      return std::any_of(sync->orders.read.begin(), sync->orders.read.end(),
                         [&](ChannelId channel) { return group.own.count(channel.index) > 0; });
    tile::Touched of = {};
    const Dot* dot = dot_if(statement, &tile::Product::runs_on);
    const auto* start = dot && dot->start ? dot->start->as<LocalUse>() : nullptr;
    if (dot && dot->value == group.value && start && start->id == group.value.index)
      touch(program_, dot->product, of);  // it adds to the same sum, in order
    else
      of = touched(program_, statement);
    const auto made_anew = [&](int operand) { return of.defines.count(operand) > 0; };
    return of.reads.count(group.value.index) || of.defines.count(group.value.index) ||
           std::any_of(group.operands.begin(), group.operands.end(), made_anew);
  }
  // Waits for the first `count` groups, and frees the entries that only they and statements before `at` have read.
  void wait_for_groups(size_t count, size_t at, Span span, Walk& walk) const {
    if (count == 0) return;
    WaitMma wait{static_cast<int64_t>(walk.running.size() - count), {}};
    for (size_t i = 0; i < count; ++i) {
      wait.values.push_back(walk.running[i].value);
      for (int operand : walk.running[i].operands) wait.values.push_back({operand});
    }
    walk.out.push_back({span, "", std::move(wait)});
    walk.running.erase(walk.running.begin(), walk.running.begin() + static_cast<std::ptrdiff_t>(count));
    release_entries(at, span, walk);
  }

  void issue(Statement& statement, size_t at, Span span, Walk& walk) const {
    const Dot* dot = dot_if(statement, &tile::Product::runs_on);
    const int64_t in_flight = dot ? dot->in_flight.value_or(0) : 0;
    if (dot && in_flight == 0) {
      Group group{dot->value, {}, {}, {}};
      for (const TypedPtr& operand : dot->product->as<Apply>()->args) {
        const auto* use = operand->as<LocalUse>();
        if (!use) continue;
        if (program_.value({use->id}).home == tile::Home::registers) group.operands.insert(use->id);
        if (const auto from = own_.find(use->id); from != own_.end()) group.own.insert(from->second);
        for (UsedEntry& used : walk.found) {
          if (used.values.count(use->id) && used.first < at && !used.freed) group.reads.push_back(&used);
        }
      }
      walk.running.push_back(std::move(group));
    }
    if (statement.as<FenceProxy>()) walk.fences[at] = walk.out.size();
    if (statement.as<Sync>()) walk.syncs[at] = walk.out.size();
    walk.out.push_back(std::move(statement));
    if (in_flight > 0 && at == walk.last_running_on)
      walk.out.push_back({span, "", WaitMma{in_flight * walk.running_on, {}}});
  }

  // Frees the entries whose last use is before the statement at `end`, and that no running instructions read.
  void release_entries(size_t end, Span span, Walk& walk) const {
    std::vector<UsedEntry*> ready;
    for (UsedEntry& used : walk.found) {
      const bool is_read = std::any_of(walk.running.begin(), walk.running.end(), [&](const Group& group) {
        return std::find(group.reads.begin(), group.reads.end(), &used) != group.reads.end();
      });
      if (!used.freed && used.last < end && !is_read) ready.push_back(&used);
    }
    // No role waits until the last entries are free if their slots are not filled again.
    const auto unneeded = [&](UsedEntry* used) {
      if (refilled_.count(used->channel) && walk.behind[used->got].count(used->channel)) return false;
      used->freed = true;
      if (!walk.with_turn.count(used->channel)) walk.out.push_back({span, "", Advance{used->channel}});
      return true;
    };
    std::erase_if(ready, unneeded);
    // Each warp frees the entry for itself, because its wait for matrix instructions covers only its own threads. Its
    // arrival must mean that all its threads are past the wait for the entry: the threads that read it themselves, and
    // those that no instruction holds back, as when a loop has no iteration; the phase might otherwise advance twice
    // before they look. Waiting for the readers does not order their reads before the writes of a unit.
    tile::Orders fenced, met;
    for (const UsedEntry* used : ready) {
      const bool fences = used->by_threads && by_unit_.count(used->channel.index) > 0;
      const size_t from = used->by_threads ? used->last_read : used->first;
      if ((used->together && !used->by_threads) || walk.have_sync_between(from, end, fences, used->channel)) continue;
      met.read.push_back(used->channel);
      if (fences) fenced.read.push_back(used->channel);
    }
    if (!fenced.read.empty()) walk.out.push_back({span, "", FenceProxy{fenced}});
    if (!met.read.empty()) walk.out.push_back({span, "", Sync{tile::SyncOf::warp, met}});
    for (UsedEntry* used : ready) {
      used->freed = true;
      const bool later = walk.place == Place::turn && (used->running || program_.channel(used->channel).delay > 0);
      walk.out.push_back({span, "", Release{used->channel, later ? Freed::previous : Freed::entry}});
      if (!walk.with_turn.count(used->channel)) walk.out.push_back({span, "", Advance{used->channel}});
    }
  }

  // Waits for the instructions that a loop's last iteration leaves running, and frees the entries that they read.
  std::vector<Statement> wait_after_loop(const For& loop, Span span, const Channels& later) const {
    std::vector<Statement> out;
    WaitMma wait;
    for (const Statement& statement : loop.body) {
      const Dot* dot = dot_if(statement, &tile::Product::runs_on);
      if (dot && dot->in_flight.value_or(0) > 0) wait.values.push_back(dot->value);
    }
    if (!wait.values.empty()) out.push_back({span, "", std::move(wait)});
    for (const Statement& statement : loop.body) {
      const Release* release = statement.as<Release>();
      if (release && release->which == Freed::previous && later.count(release->channel))
        out.push_back({span, "", Release{release->channel, Freed::last}});
    }
    return out;
  }

  const Program& program_;
  const Role& role_;
  Channels refilled_;       // whose slots are filled again
  std::set<int> by_unit_;   // channels that units fill
  std::map<int, int> own_;  // by value: its channel, if that is the role's own and has one slot
};

}  // namespace protocols

void insert_role_protocol(const tile::Program& program, tile::Role& role) {
  protocols::RoleProtocol(program, role).block(role.body, protocols::Place::once, {});
  wait_ahead(role.body);
}

}  // namespace pallasgen
