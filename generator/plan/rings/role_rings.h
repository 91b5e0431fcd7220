#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// The channels from one role to another: rings of the plan, with a full and an empty barrier per slot, and their
// statements.
class RoleRings {
 public:
  // Adds the rings to the plan; `consumers` warpgroups free a slot.
  RoleRings(Draft& draft, const tile::Program& program, const Number& consumers);

  // The ring of the channel; null if it is not between roles.
  std::optional<int> ring_of(tile::ChannelId channel) const;
  // The rings that a producer fills, in the order of the channels.
  const std::vector<int>& rings() const { return rings_; }
  // The rings that the role fills or reads.
  std::vector<int> rings_of(const tile::Role& role) const;
  // The threads of the producer that run its program: as many as the ring that needs most.
  Issuer copy_issuer() const;
  // The statements for a barrier or a copy of one of the channels; empty for other statements. `waited`: a wait for
  // instructions precedes it; `next`: the entry that is got next.
  program::Statements lower(const tile::Statement& statement, bool waited = false,
                            const tile::Entry* next = nullptr) const;
  // "k of step j has been read", for an entry of the channel.
  std::string read_comment(tile::ChannelId channel, const std::string& step) const;
  // The step of the entry in the words of comments: "step j - 1", "this tile".
  std::string step_words(const tile::Entry& entry) const;
  // Adds the statements that lower() made; those that fill an entry only for the threads that fill its ring.
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
  program::Statement wait_free(tile::ChannelId channel) const;
  program::Statements fill(tile::ChannelId channel) const;
  // True if threads write the entries and another role stores them to memory.
  bool is_staged(tile::ChannelId channel) const { return tile::is_staged_between(program_, channel); }
  const RingPlan& ring(tile::ChannelId channel) const;

  Draft& draft_;
  const tile::Program& program_;
  const Number consumers_;
  std::vector<int> rings_;
  std::map<int, int> ring_of_;                                // by channel
  std::map<std::pair<int, int>, std::vector<Number>> sizes_;  // by channel and member
};

}  // namespace pallasgen
