#pragma once

#include "program/draft.h"
#include "program/slot_layout.h"
#include "proofs/copy_proofs.h"
#include "tile/program.h"

namespace pallasgen {

// Returns the coordinates of the block's first element in the array, outermost first.
std::vector<TypedPtr> block_coordinates(const Draft& draft, int ref);

// Returns an operand with that name. Cuts the box of a ref into boxes of tensor copies, which proved_boxes() has proved
// to exist: parts as wide as the swizzle along the contiguous dim (without one: the whole width), and row boxes if a
// part has more rows than a box may have. Adds the tensor map, unless one for the same box sizes exists.
RingOperand tensor_operand(Draft& draft, const std::string& name, const tile::Box& box, const SlotLayout& lies);

// Returns RingOperand::box_coordinates for a block of the operand that begins at `first`.
std::vector<TypedPtr> box_coordinates(const RingOperand& operand, std::vector<TypedPtr> first);

Swizzle swizzle_of(int bytes);

}  // namespace pallasgen
