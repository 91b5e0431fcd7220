#pragma once

#include <optional>

#include "program/draft.h"
#include "rings/role_rings.h"
#include "tile/program.h"

namespace pallasgen {

// Lowers the copies to memory of values that another role has written to entries, and the waits for these copies. The
// barriers of both roles are those of their channel (RoleRings).
class DelegatedStores {
 public:
  DelegatedStores(Draft& draft, const tile::Program& program, const RoleRings& between)
      : draft_(draft), program_(program), between_(between) {}

  // Null if the statement is of another kind.
  std::optional<program::Statements> lower(const tile::Statement& statement) const;

 private:
  int store_of(tile::ChannelId channel) const;
  program::Statements copies(tile::ChannelId channel, const tile::Write& write) const;

  Draft& draft_;
  const tile::Program& program_;
  const RoleRings& between_;
};

}  // namespace pallasgen
