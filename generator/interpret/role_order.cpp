#include "role_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "layout/layout.h"
#include "tile/walk.h"
#include "tile/warpgroups.h"
#include "unordered.h"

namespace pallasgen::interpreter {

RoleOrder::RoleOrder(const tile::Program& program, const tile::Role& role)
    : program_(program), role_(role), mma_(program) {
  std::set<int> by_unit;
  for (const tile::Role& other : program.roles) {
    tile::for_each_statement(other.body, [&](const tile::Statement& statement) {
      const auto* put = statement.as<tile::Put>();
      if (put && tile::is_by_unit(put->path.kind)) by_unit.insert(put->entry.channel.index);
    });
    // Finds what is stored out of an entry that another role fills.
    std::map<int, int> got;  // by value: its channel
    tile::for_each_statement(other.body, [&](const tile::Statement& statement) {
      if (const auto* get = statement.as<tile::Get>()) got[get->value.index] = get->entry.channel.index;
      const auto* free = statement.as<tile::WaitFree>();
      const auto* freed = statement.as<tile::Release>();
      if (free || freed) sides_[(free ? free->channel : freed->channel).index].reused = true;
      const auto* write = statement.as<tile::Write>();
      const bool stores = write && tile::is_by_unit(write->path.kind) && got.count(write->value.index);
      if (stores && tile::is_staged_between(program, {got[write->value.index]}))
        by_unit.insert(got[write->value.index]);
    });
  }
  for (size_t i = 0; i < program.channels.size(); ++i) {
    const tile::Channel& channel = program.channels[i];
    Side& side = sides_[static_cast<int>(i)];
    side.fills = channel.from == role.name;
    side.uses = channel.to == role.name;
    side.unit = by_unit.count(static_cast<int>(i)) > 0;
  }
  tile::for_each_statement(role.body, [this](const tile::Statement& statement) { note(statement); });
  note_last_uses(role.body, false);
  got_.clear();
  for (int channel : tile::channels_within_warpgroups(program, role)) sides_.at(channel).within = true;
  // Copies that the previous program of the grid has started may still read.
  for (auto& [channel, side] : sides_) {
    for (int64_t entry = -slots({channel}); side.staged && entry < 0; ++entry) side.stores.push_back(entry);
  }
}

void RoleOrder::note(const tile::Statement& statement) {
  if (const auto* put = statement.as<tile::Put>(); put && !put->value)
    vectors_[{put->entry.channel.index, put->entry.member}] = put->path.vector;
  if (const auto* get = statement.as<tile::Get>()) got_[get->value.index] = {get->entry, 0};
  const auto* write = statement.as<tile::Write>();
  const bool by_unit = (write && tile::is_by_unit(write->path.kind)) || dot_if(statement, &tile::Product::reads_slots);
  if (!by_unit) return;
  for (int value : tile::used_by(statement)) {
    const auto from = got_.find(value);
    if (from == got_.end()) continue;
    Side& of = side(from->second.first.channel);
    if (crosses(of)) continue;
    of.unit = true;
    of.staged = of.staged || write;
  }
}

// Finds the channels whose last entry the role need not free, as nobody waits for it: the last statement that gets an
// entry is outside all loops, or each iteration frees the entry of the one before.
void RoleOrder::note_last_uses(const tile::Block& block, bool in_loop) {
  for (const tile::Statement& statement : block) {
    if (const auto* get = statement.as<tile::Get>()) side(get->entry.channel).keeps_last = !in_loop;
    for (const tile::Block* inner : tile::blocks_of(statement))
      note_last_uses(*inner, in_loop || tile::repeats(statement));
    const auto* freed = statement.as<tile::Release>();
    if (freed && freed->which == tile::Freed::previous) side(freed->channel).keeps_last = true;
  }
}

// A CTA that takes several programs does in the next one what it has done in this one.
void RoleOrder::next_tile() {
  const std::vector<Event> events = std::exchange(in_tile_, {});
  for (const Event& event : events) take(*event.statement, event.ahead);
}

void RoleOrder::before(const tile::Statement& statement, int64_t ahead) {
  if (statement.as<tile::ForTiles>()) {
    again_ = tile::repeats(statement);
    return;
  }
  const auto is_this = [&](const tile::Statement& other) { return &other == &statement; };
  if (std::any_of(role_.body.begin(), role_.body.end(), is_this))
    next_tile();
  else if (again_)
    in_tile_.push_back({&statement, ahead});
  take(statement, ahead);
}

void RoleOrder::take(const tile::Statement& statement, int64_t ahead) {
  if (tile::is_protocol(statement)) return protocol(statement);
  const tile::Dot* instruction = dot_if(statement, &tile::Product::runs_on);
  mma_.touch(statement);
  if (instruction) mma_.start(*instruction);
  for (int value : tile::used_by(statement)) use(statement, value);
  if (const auto defined = tile::defined_by(statement)) got_.erase(defined->index);
  if (const auto* get_one = statement.as<tile::Get>()) get(*get_one, statement.span);
  if (const auto* put_one = statement.as<tile::Put>()) {
    if (crosses(side(put_one->entry.channel)))
      put(*put_one, ahead, statement.span);
    else
      fill_own_entry(*put_one, ahead, statement.span);
  }
}

void RoleOrder::use(const tile::Statement& statement, int value) {
  const tile::Dot* instruction = dot_if(statement, &tile::Product::runs_on);
  const auto from = got_.find(value);
  if (from == got_.end()) return;
  const auto& [entry, number] = from->second;
  Side& of = side(entry.channel);
  Entry& at = of.entries[number];
  const std::string& channel = name(entry.channel);
  if (crosses(of)) {
    if (number < of.released) unordered(statement.span, "an entry of '{}' is used, and it was freed before", channel);
    if (at.uncleared.count(value) > 0)
      unordered(statement.span, "an entry of '{}' is used, and its rows past a slice are not cleared", channel);
    if (instruction && at.unseen)
      unordered(statement.span, "an entry of '{}' is used before instructions see what threads have copied", channel);
  } else {
    if (!at.arrives.empty())
      unordered(statement.span, "an entry of '{}' is used, and nobody has waited for the copies to it", channel);
    if (is_filled_again(of, entry.channel, number))
      unordered(statement.span, "an entry of '{}' is used, and its slot has been filled again", channel);
    if (!instruction && reads_own(statement, value, entry.member)) {
      at.taken.insert(entry.member);
      return;
    }
    if (at.written.open)
      unordered(statement.span, "an entry of '{}' is used before all know that it was written", channel);
  }
  const auto* write = statement.as<tile::Write>();
  if (instruction) {
    mma_.reads(entry.channel, number);
    at.met = true;
  } else if (write && tile::is_by_unit(write->path.kind)) {
    of.stores.push_back(number);
    at.met = at.met || crosses(of);  // by one thread, which has waited
  } else {
    at.read = {true, false};
  }
}

bool RoleOrder::is_filled_again(const Side& of, tile::ChannelId channel, int64_t number) const {
  return std::any_of(of.entries.begin(), of.entries.end(), [&](const auto& later) {
    return later.first > number && (later.first - number) % slots(channel) == 0 && !later.second.members.empty();
  });
}

bool RoleOrder::reads_own(const tile::Statement& statement, int value, int member) const {
  const auto* assign = statement.as<tile::Assign>();
  const std::optional<tile::ValueId> loaded = assign ? tile::loaded_by(program_, *assign) : std::nullopt;
  if (!loaded || loaded->index != value) return false;
  const tile::Entry& entry = got_.at(value).first;
  const auto vector = vectors_.find({entry.channel.index, member});
  const tile::Value& to = program_.value(assign->value);
  const Shape& shape = program_.channel(entry.channel).members[static_cast<size_t>(member)].shape;
  return vector != vectors_.end() && to.layout && *to.layout == strided_layout(role_.threads(), vector->second, shape);
}

void RoleOrder::get(const tile::Get& get, Span span) {
  Side& of = side(get.entry.channel);
  if (crosses(of) && of.waited != of.at + 1)
    unordered(span, "an entry of '{}' is got, and the role has not waited for it", name(get.entry.channel));
  if (!crosses(of) && !of.entries[of.at].members.count(get.entry.member))
    unordered(span, "an entry of '{}' is got, and the role has not filled it", name(get.entry.channel));
  got_[get.value.index] = {get.entry, of.at};
  if (get.rows) of.entries[of.at].uncleared.insert(get.value.index);
  if (program_.value(get.value).home == tile::Home::shared) return;
  of.entries[of.at].read = {true, false};
  got_.erase(get.value.index);
}

void RoleOrder::clear(const tile::Clear& clear, Span span) {
  const auto from = got_.find(clear.value.index);
  if (from == got_.end()) unordered(span, "'{}' is cleared, and it is in no slot", program_.value(clear.value).name);
  if (has_turn_ && role_.warps > 4) unordered(span, "the threads of the role meet while one warpgroup has its turn");
  side(from->second.first.channel).entries[from->second.second].uncleared.erase(clear.value.index);
}

void RoleOrder::put(const tile::Put& put, int64_t ahead, Span span) {
  Side& of = side(put.entry.channel);
  const std::string& channel = name(put.entry.channel);
  take_unused_slot(of, put.entry.channel);
  if (ahead != 0 || of.waited != of.at + 1)
    unordered(span, "an entry of '{}' is filled, and the role has not waited until it is free", channel);
  if (!of.entries[of.at].members.insert(put.entry.member).second)
    unordered(span, "an entry of '{}' is filled twice", channel);
  if (of.filled) unordered(span, "an entry of '{}' is filled behind the word that it is full", channel);
  if (put.value) of.entries[of.at].written = {true, false};
}

// Checks a put into a channel that the role's own threads use.
void RoleOrder::fill_own_entry(const tile::Put& put, int64_t ahead, Span span) {
  Side& of = side(put.entry.channel);
  const std::string& channel = name(put.entry.channel);
  const int64_t number = of.at + ahead;
  for (int64_t before : of.stores) {
    if (before < number && (number - before) % slots(put.entry.channel) == 0)
      unordered(span, "an entry of '{}' is filled while a copy out of its slot may read it", channel);
  }
  for (int64_t before : of.seen) {
    if (before < number && (number - before) % slots(put.entry.channel) == 0)
      unordered(span, "an entry of '{}' is filled before all know that its slot was read", channel);
  }
  for (const auto& [before, entry] : of.entries) {
    if (before >= number || (number - before) % slots(put.entry.channel) != 0) continue;
    // Each thread refills what it has taken itself.
    const bool taken = before == of.at && entry.taken.count(put.entry.member) > 0;
    if ((before >= of.at && !taken) || entry.read.open || mma_.is_read(put.entry.channel, before))
      unordered(span, "an entry of '{}' is filled before all have read what its slot holds", channel);
  }
  Entry& entry = of.entries[number];
  if (!entry.members.insert(put.entry.member).second) unordered(span, "an entry of '{}' is filled twice", channel);
  if (put.path.kind == tile::PathKind::async)
    entry.arrives.insert(groups_);
  else
    entry.written = {true, false};
}

void RoleOrder::protocol(const tile::Statement& statement) {
  const Span span = statement.span;
  if (const auto* wait = statement.as<tile::WaitFree>()) {
    Side& of = side(wait->channel);
    if (of.waited++ != of.at) unordered(span, "an entry of '{}' is waited for twice", name(wait->channel));
  } else if (const auto* full = statement.as<tile::WaitFull>()) {
    Side& of = side(full->channel);
    if (of.waited++ != of.at) unordered(span, "an entry of '{}' is waited for twice", name(full->channel));
    of.entries[of.at] = {};
    of.entries[of.at].unseen = !of.unit;
  } else if (const auto* expect = statement.as<tile::Expect>()) {
    Side& of = side(expect->channel);
    take_unused_slot(of, expect->channel);
    if (of.waited != of.at + 1 || of.expected || !of.entries[of.at].members.empty())
      unordered(span, "bytes are expected in an entry of '{}' that is not empty", name(expect->channel));
    of.expected = true;
  } else if (const auto* fill = statement.as<tile::Fill>()) {
    Side& of = side(fill->channel);
    if (of.waited != of.at + 1 || of.filled)
      unordered(span, "an entry of '{}' is said to be full that is not free", name(fill->channel));
    if (of.entries[of.at].written.open)
      unordered(span, "an entry of '{}' is said to be full before all know that it was written", name(fill->channel));
    of.filled = true;
  } else if (const auto* moves = statement.as<tile::Advance>()) {
    advance(moves->channel, span);
  } else if (const auto* freed = statement.as<tile::Release>()) {
    release(*freed, span);
  } else if (const auto* sync = statement.as<tile::Sync>()) {
    if (sync->of == tile::SyncOf::role && has_turn_ && role_.warps > 4)
      unordered(span, "all threads of the role meet while one warpgroup has its turn");
    meet(*sync);
  } else if (const auto* fenced = statement.as<tile::FenceProxy>()) {
    fence(*fenced);
  } else if (const auto* cleared = statement.as<tile::Clear>()) {
    clear(*cleared, span);
  } else if (statement.as<tile::Commit>()) {
    ++groups_;
  } else if (const auto* copies = statement.as<tile::WaitCopies>()) {
    for (auto& [channel, of] : sides_) {
      for (auto& [number, entry] : of.entries) {
        if (entry.arrives.empty()) continue;
        std::erase_if(entry.arrives, [&](int64_t group) { return group < groups_ - copies->pending; });
        if (entry.arrives.empty()) entry.written = {true, false};
      }
    }
  } else if (const auto* mma = statement.as<tile::WaitMma>()) {
    // Instructions of other warpgroups may still run.
    for (const auto& [channel, entry] : mma_.wait(*mma)) {
      Side& of = side({channel});
      if (!crosses(of) && !of.within) of.entries[entry].read = {true, true};
    }
  } else if (const auto* stores = statement.as<tile::WaitStores>()) {
    Side& of = side(stores->channel);
    for (; static_cast<int64_t>(of.stores.size()) > stores->pending; of.stores.pop_front())
      of.seen.insert(of.stores.front());
  } else if (const auto* take = statement.as<tile::TakeTurn>()) {
    turn(true, take->last, span);
  } else if (const auto* pass = statement.as<tile::PassTurn>()) {
    turn(false, pass->first, span);
  }
}

// Takes the next slot of a channel none of whose slots is filled twice, so that nobody waits until one is free.
void RoleOrder::take_unused_slot(Side& of, tile::ChannelId channel) const {
  if (!of.reused && !again_ && of.fills && of.waited == of.at && of.at < slots(channel)) ++of.waited;
}

void RoleOrder::advance(tile::ChannelId channel, Span span) {
  Side& of = side(channel);
  Entry& entry = of.entries[of.at];
  const bool filled = entry.members.size() == program_.channel(channel).members.size();
  if (of.fills && !filled)
    unordered(span, "the role moves on from an entry of '{}' that it has not filled", name(channel));
  if (crosses(of)) {
    if (of.waited != of.at + 1)
      unordered(span, "the role moves on from an entry of '{}' that it has not waited for", name(channel));
    if (of.fills && of.expected == of.filled)
      unordered(span, "nothing tells when an entry of '{}' has arrived", name(channel));
  }
  of.expected = of.filled = false;
  ++of.at;
  // Later statements depend on its last entries only.
  const int64_t keeps = 2 * slots(channel) + program_.channel(channel).delay + 2;
  std::erase_if(of.entries, [&](const auto& known) { return known.first < of.at - keeps; });
}

void RoleOrder::release(const tile::Release& release, Span span) {
  Side& of = side(release.channel);
  const int64_t number = release.which == tile::Freed::entry ? of.at : of.at - 1;
  if (release.which != tile::Freed::entry && of.released > number) return;  // there is none
  if (of.released != number || of.waited <= number)
    unordered(span, "an entry of '{}' is freed out of its turn", name(release.channel));
  if (mma_.is_read(release.channel, number))
    unordered(span, "an entry of '{}' is freed while matrix instructions read it", name(release.channel));
  const Entry& entry = of.entries[number];
  if (entry.read.open)
    unordered(span, "an entry of '{}' is freed before all know that threads have read it", name(release.channel));
  if (std::count(of.stores.begin(), of.stores.end(), number))
    unordered(span, "an entry of '{}' is freed while a copy out of it may read it", name(release.channel));
  if (!entry.met)
    unordered(span, "an entry of '{}' is freed while threads may still wait for it", name(release.channel));
  ++of.released;
}

// True if `named`, one of the lists of `orders`, has the channel, or if both lists are empty, which means everything.
static bool includes(const tile::Orders& orders, const std::vector<tile::ChannelId>& named, int channel) {
  if (orders.filled.empty() && orders.read.empty()) return true;
  return std::find(named.begin(), named.end(), tile::ChannelId{channel}) != named.end();
}

void RoleOrder::fence(const tile::FenceProxy& fence) {
  for (auto& [channel, of] : sides_) {
    const bool filled = includes(fence.orders, fence.orders.filled, channel),
               read = includes(fence.orders, fence.orders.read, channel);
    for (auto& [number, entry] : of.entries) {
      entry.written.fenced = entry.written.fenced || filled;
      entry.read.fenced = entry.read.fenced || read;
      entry.unseen = entry.unseen && !filled;
    }
  }
}

void RoleOrder::meet(const tile::Sync& sync) {
  for (auto& [channel, of] : sides_) {
    const bool filled = includes(sync.orders, sync.orders.filled, channel),
               read = includes(sync.orders, sync.orders.read, channel);
    if (!filled && !read) continue;
    // Each warp frees entries by itself, and does not learn what others have stored.
    if (sync.of == tile::SyncOf::warp && !(crosses(of) && of.uses)) continue;
    // All threads of the role copy what all of them read, so that a barrier of one warpgroup is not enough.
    const bool all_copy = role_.warps > 4 && !crosses(of) && !of.staged && !of.within;
    if (sync.of == tile::SyncOf::warpgroup && all_copy) continue;
    for (auto& [number, entry] : of.entries) {
      // Threads of the role refill what they have read themselves, which needs no fence.
      if (filled && (!of.unit || entry.written.fenced)) entry.written.open = false;
      if (read && (!of.unit || !crosses(of) || entry.read.fenced)) entry.read.open = false;
      entry.met = true;
    }
    if (read) of.seen.clear();
  }
}

void RoleOrder::turn(bool takes, bool ends, Span span) {
  // `ends`: before the first turn and after the last one the role has none.
  const bool right = takes ? first_passed_ && !has_turn_ : ends ? !first_passed_ : has_turn_;
  if (!right) unordered(span, "a turn is {} out of its order", takes ? "taken" : "passed");
  if (ends)
    first_passed_ = !takes;
  else
    has_turn_ = takes;
}

void RoleOrder::end() {
  next_tile();
  for (const auto& [channel, of] : sides_) {
    const int64_t kept = again_ ? 0 : !of.reused ? slots({channel}) : of.keeps_last ? 1 : 0;
    const bool keeps = of.uses && of.at - of.released > kept;
    if (crosses(of) && (of.waited != of.at || keeps))
      unordered({}, "the role ends before it is done with an entry of '{}'", name({channel}));
    const auto next = of.entries.find(of.at);
    if (!crosses(of) && next != of.entries.end() && !next->second.members.empty())
      unordered({}, "the role ends and has not moved on from an entry of '{}'", name({channel}));
    if (!of.stores.empty()) unordered({}, "the role ends while copies out of '{}' may run", name({channel}));
  }
  if (mma_.runs()) unordered({}, "the role ends while matrix instructions run");
  if (has_turn_ || first_passed_) unordered({}, "the role ends, and a turn is not taken");
}

}  // namespace pallasgen::interpreter
