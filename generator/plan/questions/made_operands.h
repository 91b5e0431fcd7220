#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "fragments/fragment_values.h"
#include "tile/program.h"

namespace pallasgen {

// The channels through which the threads of a role give its matrix instructions operands that these do not take from
// registers.
std::set<int> made_operands(const tile::Program& program);

// Their fences and meetings: the instructions see what all threads of the role wrote, and these write again when all
// instructions have read.
void insert_operand_protocol(const tile::Program& program, tile::Role& role);
// Behind what else stands at the ends of blocks: the next entries.
void advance_operands(const tile::Program& program, tile::Role& role);

// These channels of a role as rings of its plan, without barriers, and their statements.
class MadeOperands {
 public:
  // Adds the rings to the plan.
  MadeOperands(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values);

  const std::vector<int>& rings() const { return rings_; }
  // Null: the channel is none of them.
  std::optional<int> ring_of(tile::ChannelId channel) const;
  // Rows and columns of an entry.
  std::vector<Number> sizes(const tile::Entry& entry) const;
  // Null: the statement at this place of its block is none of this protocol.
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
