#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "mma_order.h"
#include "tile/program.h"

namespace pallasgen::interpreter {

// Checks that the protocol of one role orders what its threads, copies and matrix instructions do for a program of the
// grid. Running the roles does not show that, as there a role is one thread of control, and copies and instructions
// take effect at once. Here these take effect as late as the protocol allows, any thread may be before or after the
// others between two barriers, and units see what threads did in shared memory only after a fence.
class RoleOrder {
 public:
  RoleOrder(const tile::Program& program, const tile::Role& role);

  // Checks the statement that the role runs next. `ahead`: for a put, how many entries after the current one. Throws
  // Fault if something must be ordered before the statement and is not.
  void before(const tile::Statement& statement, int64_t ahead);
  // Throws Fault if something is not complete when the role ends.
  void end();

 private:
  // What threads did in a slot, until all threads know of it by a barrier, after a fence if a unit must see it, too.
  struct Touch {
    bool open = false, fenced = false;
  };
  // An entry, as long as the role needs to know of it.
  struct Entry {
    Touch written, read;        // by threads
    bool met = false;           // all threads have passed the wait for it
    std::set<int> members;      // that the role has filled
    std::set<int> taken;        // members of which each thread has taken what it had copied itself
    std::set<int64_t> arrives;  // groups of copies that bring it
    std::set<int> uncleared;    // values that are got from it, whose rows that do not count are not cleared yet
    bool unseen = false;        // what threads of another role have copied awaits a fence before instructions
  };
  // A channel as the role sees it.
  struct Side {
    bool fills = false, uses = false;
    bool unit = false;        // a unit writes what threads read here, or reads what they write
    bool staged = false;      // values go through it to global memory
    bool reused = false;      // a role waits until its entries are free, or frees them
    bool keeps_last = false;  // without a further tile, the last entry need not be freed
    bool within = false;      // each warpgroup's instructions read what its own threads have put there
    int64_t at = 0;           // the entry that the role is at, counted from the first
    int64_t waited = 0, released = 0;
    bool expected = false, filled = false;
    std::map<int64_t, Entry> entries = {};
    std::deque<int64_t> stores = {};  // entries that copies to global memory may still read, ...
    std::set<int64_t> seen = {};      // ... and those of which only one thread knows that none does
  };
  struct Event {
    const tile::Statement* statement;
    int64_t ahead;
  };

  void note(const tile::Statement& statement);
  void note_last_uses(const tile::Block& block, bool in_loop);
  void take(const tile::Statement& statement, int64_t ahead);
  void next_tile();
  bool crosses(const Side& side) const { return !side.fills || !side.uses; }
  Side& side(tile::ChannelId channel) { return sides_.at(channel.index); }
  const std::string& name(tile::ChannelId channel) const { return program_.channel(channel).name; }
  int64_t slots(tile::ChannelId channel) const { return program_.channel(channel).slots.value_or(1); }

  void protocol(const tile::Statement& statement);
  void put(const tile::Put& put, int64_t ahead, Span span);
  void fill_own_entry(const tile::Put& put, int64_t ahead, Span span);
  void get(const tile::Get& get, Span span);
  void use(const tile::Statement& statement, int value);
  bool is_filled_again(const Side& of, tile::ChannelId channel, int64_t number) const;
  bool reads_own(const tile::Statement& statement, int value, int member) const;
  void clear(const tile::Clear& clear, Span span);
  void advance(tile::ChannelId channel, Span span);
  void take_unused_slot(Side& of, tile::ChannelId channel) const;
  void release(const tile::Release& release, Span span);
  void meet(const tile::Sync& sync);
  void fence(const tile::FenceProxy& fence);
  void turn(bool takes, bool ends, Span span);

  const tile::Program& program_;
  const tile::Role& role_;
  std::map<int, Side> sides_;                           // by channel
  std::map<std::pair<int, int>, int64_t> vectors_;      // length of copies by the role's threads, by channel and member
  std::map<int, std::pair<tile::Entry, int64_t>> got_;  // by value in shared memory: its entry
  MmaOrder mma_;
  int64_t groups_ = 0;  // of copies, that are committed
  bool again_ = false;  // the role takes several programs of the grid
  std::vector<Event> in_tile_ = {};
  bool first_passed_ = false, has_turn_ = false;
};

}  // namespace pallasgen::interpreter
