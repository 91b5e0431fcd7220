#pragma once

#include <optional>
#include <vector>

#include "rings/channel_rings.h"
#include "rings/made_operand_rings.h"
#include "rings/role_rings.h"

namespace pallasgen {

// All channels that a role fills or reads, as rings of the plan: those between roles, those that its threads fill by
// copies, and those that they fill with operands of instructions.
class RoleChannels {
 public:
  // Adds the role's own rings to the plan.
  RoleChannels(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
               const RoleRings& between)
      : draft_(draft), between_(between), copied_(draft, program, role), made_(draft, program, role, values) {}

  const RoleRings& between() const { return between_; }
  const ChannelRings& copied() const { return copied_; }

  // The rings that only this role uses.
  std::vector<int> own_rings() const;
  int ring_of(tile::ChannelId channel) const;
  // Rows and columns of an entry of matrices.
  std::vector<Number> sizes(const tile::Entry& entry) const;
  // The fences, waits and syncs of the role's own copies and stores to shared memory; null if the statement at this
  // place of its block is none of these.
  std::optional<program::Statements> lower_own(const tile::Block& block, size_t at) const;
  // Adds the statement that advances the ring to its next slot, where no loop does so in its header.
  void advance(tile::ChannelId channel, program::Statements& out) const;

 private:
  Draft& draft_;
  const RoleRings& between_;
  ChannelRings copied_;
  MadeOperands made_;
};

}  // namespace pallasgen
