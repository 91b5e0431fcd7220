#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rings/channel_rings.h"
#include "rings/computed_operand_rings.h"
#include "rings/role_rings.h"

namespace pallasgen {

// All channels that a role fills or reads, as rings of the plan: those between roles, those that its threads fill by
// copies, and those that they fill with operands of instructions.
class RoleChannels {
 public:
  // Adds the role's own rings to the plan.
  RoleChannels(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
               const RoleRings& between)
      : draft_(draft),
        program_(program),
        between_(between),
        copied_(draft, program, role),
        made_(draft, program, role, values) {}

  const RoleRings& between() const { return between_; }
  const ChannelRings& copied() const { return copied_; }

  // The rings that only this role uses.
  std::vector<int> own_rings() const;
  int ring_of(tile::ChannelId channel) const;
  // Rows and columns of an entry of matrices.
  std::vector<Number> sizes(const tile::Entry& entry) const;
  // Lowers fences, syncs, and what only this role's threads do with entries of its own: waits for their copies, and
  // stores of operands. Null for other statements.
  std::optional<program::Statements> lower_own(const tile::Statement& statement) const;
  // Adds the statement that advances the ring to its next slot, where no loop does so in its header.
  void advance(tile::ChannelId channel, program::Statements& out) const;

 private:
  // What the fence or the sync makes sure of, by the kind of the channels whose entries it orders.
  std::string comment_of(const tile::FenceProxy& fence) const;
  std::string comment_of(const tile::Sync& sync) const;

  Draft& draft_;
  const tile::Program& program_;
  const RoleRings& between_;
  ChannelRings copied_;
  ComputedOperands made_;
};

}  // namespace pallasgen
