#pragma once

#include "elements/lowering.h"
#include "fragments/fragment_values.h"
#include "program/draft.h"

namespace pallasgen {

// Moves of values from the registers of one layout to those of another, through a tile in shared memory.
class TileMoves {
 public:
  TileMoves(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
            ElementLowering& elements)
      : draft_(draft), program_(program), role_(role), values_(values), elements_(elements) {}

  // True if nothing but the sum takes its parts, so that the sum can have their fragment.
  bool combines_in_place(tile::ValueId parts, tile::ValueId sum) const;
  // Returns the value that the statement moves; null if it is no move.
  std::optional<tile::ValueId> moved_by(const tile::Assign& assign) const;
  // Returns the value that the statement transposes in place, which nothing else takes; null if there is none.
  std::optional<tile::ValueId> transposed_by(const tile::Assign& assign) const;
  // The statement that stores the value, and the one that loads it after the declaration of its target.
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
