#pragma once

#include <map>

#include "elements/lowering.h"
#include "rings/role_channels.h"

namespace pallasgen {

// Lowers the dots of a role that its threads multiply by blocks in their registers.
class BlockProducts {
 public:
  BlockProducts(Draft& draft, const tile::Program& program, const tile::Role& role, const RoleChannels& channels,
                ElementLowering& elements)
      : draft_(draft), program_(program), role_(role), channels_(channels), elements_(elements) {}

  // Adds the product to the fragment `accumulator`. `got`: the entries that the role has taken, by value; an operand
  // that is none of them lies in a tile.
  program::MultiplyAdd multiply_add(const tile::Dot& dot, int accumulator, const std::map<int, tile::Entry>& got);

 private:
  program::SharedMatrix operand_matrix(const Apply& product, size_t operand, const std::map<int, tile::Entry>& got);
  // Adds the decision that describes the threads' reads of an operand and their bank conflicts.
  void explain_reads(const tile::Dot& dot, size_t operand, const program::SharedMatrix& matrix);

  Draft& draft_;
  const tile::Program& program_;
  const tile::Role& role_;
  const RoleChannels& channels_;
  ElementLowering& elements_;
};

}  // namespace pallasgen
