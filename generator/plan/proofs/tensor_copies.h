#pragma once

#include "program/draft.h"
#include "program/slot_layout.h"
#include "proofs/copy_proofs.h"
#include "tile/program.h"

namespace pallasgen {

// Coordinates of the block's first element in the array, outermost first.
std::vector<TypedPtr> block_coordinates(const Draft& draft, int ref);

// An operand of that name. Cuts the box of a ref into boxes of tensor copies, of which proved_boxes() says that there
// are some: slabs as wide as the swizzle along the contiguous dim (none: the whole width), row boxes where a slab has
// more rows than a box may have. Adds the tensor map, which copies of other boxes of the same sizes share.
RingOperand tensor_operand(Draft& draft, const std::string& name, const tile::Box& box, const SlotLayout& lies);

// RingOperand::box_coordinates of a block of the operand that begins elsewhere.
std::vector<TypedPtr> box_coordinates(const RingOperand& operand, std::vector<TypedPtr> first);

Swizzle swizzle_of(int bytes);

}  // namespace pallasgen
