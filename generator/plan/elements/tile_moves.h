#pragma once

#include "elements/lowering.h"
#include "fragments/fragment_values.h"
#include "program/draft.h"

namespace pallasgen {

// Values that go from the registers of one layout to those of another, through a tile in shared memory.
class TileMoves {
 public:
  TileMoves(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
            ElementLowering& elements)
      : draft_(draft), program_(program), role_(role), values_(values), elements_(elements) {}

  // Whether the parts of a sum are put together, and nothing else takes them: then they need no tile of their own.
  bool meets_in_place(tile::ValueId parts, tile::ValueId sum) const;
  // Whether the statement is such a move, and what it moves.
  std::optional<tile::ValueId> moved_by(const tile::Assign& assign) const;
  // A value of which the statement makes the transpose where it is, and that nothing else takes.
  std::optional<tile::ValueId> transposed_by(const tile::Assign& assign) const;
  // The statement that stores it, and the one that loads it again behind the declaration of the other.
  struct Move {
    program::Statement store, load;
  };
  Move move(tile::ValueId from, tile::ValueId to);

 private:
  Draft& draft_;
  const tile::Program& program_;
  const tile::Role& role_;
  FragmentValues& values_;
  ElementLowering& elements_;
};

}  // namespace pallasgen
