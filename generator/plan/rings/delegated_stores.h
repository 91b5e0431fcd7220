#pragma once

#include <optional>

#include "program/draft.h"
#include "rings/role_rings.h"
#include "tile/program.h"

namespace pallasgen {

// Lowers the statements for values that one role writes to entries and another one stores to memory: the barriers of
// both roles, and the copies of the role that stores.
class DelegatedStores {
 public:
  DelegatedStores(Draft& draft, const tile::Program& program, const RoleRings& between)
      : draft_(draft), program_(program), between_(between) {}

  // Null if the statement is of another kind.
  std::optional<program::Statements> lower(const tile::Statement& statement) const;

 private:
  bool is_delegated(tile::ChannelId channel) const { return tile::is_staged_between(program_, channel); }
  const RingPlan& ring(tile::ChannelId channel) const {
    return draft_.plan.rings[static_cast<size_t>(*between_.ring_of(channel))];
  }
  int store_of(tile::ChannelId channel) const;
  program::Statements copies(tile::ChannelId channel, const tile::Write& write) const;

  Draft& draft_;
  const tile::Program& program_;
  const RoleRings& between_;
};

}  // namespace pallasgen
