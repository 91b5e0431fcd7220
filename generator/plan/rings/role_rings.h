#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// The channels from one role to another as rings of the plan, with a full and an empty barrier for each slot, and their
// statements.
class RoleRings {
 public:
  // Adds the rings; `consumers`: warpgroups that free a slot.
  RoleRings(Draft& draft, const tile::Program& program, const Number& consumers);

  // The ring of the channel; null: it is not between roles.
  std::optional<int> ring_of(tile::ChannelId channel) const;
  // Of those that a producer fills, in the order of the channels.
  const std::vector<int>& rings() const { return rings_; }
  // Of those that the role fills or empties.
  std::vector<int> rings_of(const tile::Role& role) const;
  // How many threads of the role that fills them run: what the ring asks for that needs most.
  Hands hands() const;
  // A statement of the protocol or a copy of one of the channels; empty: it is none. `waited`: it stands behind a wait
  // for instructions; `next`: the entry that is got next.
  program::Statements lower(const tile::Statement& statement, bool waited = false,
                            const tile::Entry* next = nullptr) const;
  // "k of step j has been read": of an entry of the channel.
  std::string what_is_read(tile::ChannelId channel, const std::string& step) const;
  // The step that the entry is of, in the words of comments: "step j - 1", "this tile".
  std::string step_of(const tile::Entry& entry) const;
  // Adds what lower() made of a statement: what fills an entry is for those of the role's threads that its ring asks
  // for.
  void append(const tile::Statement& statement, program::Statements made, program::Statements& out) const;
  // The sizes of a member of an entry.
  const std::vector<Number>& sizes(const tile::Entry& entry) const {
    return sizes_.at({entry.channel.index, entry.member});
  }

 private:
  void add_ring(tile::ChannelId id, const std::map<int, const tile::Put*>& puts, const Number& consumers);
  Swizzle widest_of(const tile::Put& put) const;
  program::Statement copy(const tile::Put& put) const;
  program::Statement release(const tile::Release& release, bool waited) const;
  program::Statement wait_full(tile::ChannelId channel, const tile::Entry* next) const;
  const RingPlan& ring(tile::ChannelId channel) const;

  Draft& draft_;
  const tile::Program& program_;
  const Number consumers_;
  std::vector<int> rings_;
  std::map<int, int> ring_of_;                                // by channel
  std::map<std::pair<int, int>, std::vector<Number>> sizes_;  // by channel and member
};

}  // namespace pallasgen
