#pragma once

#include "program/draft.h"
#include "questions/instructions.h"
#include "tile/program.h"

namespace pallasgen {

// The access by which threads copy a box to slots: vectors as wide as the ref's facts prove its rows aligned. The
// fragment has the block's dims.
program::Access slot_access(const Draft& draft, const tile::Box& box);

// True if one thread copies the whole box by one access; false in clusters, whose CTAs share each box.
bool is_one_access(const Draft& draft, const tile::Box& box);

// Makes the operand of a ring with `slots` slots that threads fill, and adds its field. They copy by cp.async if it
// moves at least 4 bytes at once, else through registers.
RingOperand thread_operand(Draft& draft, const std::string& name, const tile::Box& box, const Number& slots,
                           const SlotLayout& lies = {});
// The copy to the slot `ahead` after the ring's current one. `access`: at the step for which it copies.
program::AsyncCopy slot_copy(const Draft& draft, int ring, int operand, const TypedPtr& ahead, const tile::Box& box,
                             program::Access access);

}  // namespace pallasgen
