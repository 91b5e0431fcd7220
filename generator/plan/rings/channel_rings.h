#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// The channels that a role fills by copies of its own threads: rings of the plan and their statements.
class ChannelRings {
 public:
  // Adds the rings to the plan.
  ChannelRings(Draft& draft, const tile::Program& program, const tile::Role& role);

  const std::vector<int>& rings() const { return rings_; }
  int ring_of(tile::ChannelId channel) const { return ring_of_.at(channel.index); }
  // The sizes of a member of an entry.
  const std::vector<Number>& sizes(const tile::Entry& entry) const {
    return sizes_.at({entry.channel.index, entry.member});
  }

  program::Statement copy(const tile::Put& put) const;
  program::Statement prefetch(const tile::Prefetch& ask) const;
  program::Statement commit(bool first_turns) const;
  program::Statements wait(const tile::WaitCopies& wait) const;
  // The comments of fences and syncs that order entries of these channels.
  std::string comment_of_fence(const tile::Orders& orders) const;
  std::string comment_of_sync(const tile::Orders& orders) const;
  // The expression as the kernel prints it: the ring's constant replaces the number of entries that copies go ahead;
  // the `steps` of a prefetch are given in terms of it; the loop over the first iterations has its own variable.
  TypedPtr named(const TypedPtr& expr, int64_t steps = 0) const;
  Number most_copies_ahead() const;
  std::string comment_of_first_turns() const;

 private:
  void add_ring(tile::ChannelId channel, const std::map<int, const tile::Put*>& puts);
  program::Access access(const tile::Box& box, const tile::Path& path, int64_t steps = 0) const;
  // True if each thread reads from entries only what it has copied there.
  bool takes_own_copies(tile::ChannelId id, const std::map<int, const tile::Put*>& puts) const;
  const RingPlan& ring(tile::ChannelId channel) const;
  // True if threads wait for asynchronous copies to one of the channels.
  bool is_awaited(const std::vector<tile::ChannelId>& channels) const;
  bool is_read_by_instructions(const std::vector<tile::ChannelId>& channels) const;
  std::string names(const std::vector<tile::ChannelId>& channels) const;

  Draft& draft_;
  const tile::Program& program_;
  const tile::Role& role_;
  std::vector<int> rings_;
  std::map<int, int> ring_of_;                                // by channel
  std::map<std::pair<int, int>, std::vector<Number>> sizes_;  // by channel and member
  std::set<int> first_turns_;                                 // ids of the variables of loops over the first iterations
  std::map<int, program::Statements> rounded_;                // by channel: statements that round an arrived entry
};

}  // namespace pallasgen
