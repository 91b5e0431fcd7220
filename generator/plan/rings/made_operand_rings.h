#pragma once

#include <map>
#include <optional>
#include <vector>

#include "fragments/fragment_values.h"
#include "tile/program.h"

namespace pallasgen {

// The channels of operands that a role's threads compute (questions/made_operands.h): rings of the plan without
// barriers, and their statements.
class MadeOperands {
 public:
  // Adds the rings to the plan.
  MadeOperands(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values);

  const std::vector<int>& rings() const { return rings_; }
  // Null if the channel is not one of these.
  std::optional<int> ring_of(tile::ChannelId channel) const;
  // Rows and columns of an entry.
  std::vector<Number> sizes(const tile::Entry& entry) const;
  // Null if the statement at this place of its block does not belong to these channels.
  std::optional<program::Statement> lower(const tile::Block& block, size_t at) const;

 private:
  bool is_put(const tile::Block& block, size_t at) const;
  void add_ring(tile::ChannelId channel, const tile::Put& put);
  program::Statement store(const tile::Put& put) const;

  Draft& draft_;
  const tile::Program& program_;
  FragmentValues& values_;
  std::vector<int> rings_;
  std::map<int, int> ring_of_;  // by channel
};

}  // namespace pallasgen
