#pragma once

#include <map>
#include <optional>
#include <vector>

#include "fragments/fragment_values.h"
#include "tile/program.h"

namespace pallasgen {

// The channels of operands that a role's threads compute (questions/computed_operands.h): rings of the plan without
// barriers, and their statements.
class ComputedOperands {
 public:
  // Adds the rings to the plan.
  ComputedOperands(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values);

  const std::vector<int>& rings() const { return rings_; }
  // Null if the channel is not one of these.
  std::optional<int> ring_of(tile::ChannelId channel) const;
  // Rows and columns of an entry.
  std::vector<Number> sizes(const tile::Entry& entry) const;
  // The store of a value to an entry of one of these channels.
  program::Statement store(const tile::Put& put) const;

 private:
  void add_ring(tile::ChannelId channel, const tile::Put& put);

  Draft& draft_;
  const tile::Program& program_;
  FragmentValues& values_;
  std::vector<int> rings_;
  std::map<int, int> ring_of_;  // by channel
};

}  // namespace pallasgen
