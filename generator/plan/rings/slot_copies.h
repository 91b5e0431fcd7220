#pragma once

#include "program/draft.h"
#include "questions/instructions.h"
#include "tile/program.h"

namespace pallasgen {

// A box of global memory as copies into slots reach it: rows as wide as its ref's facts prove them aligned. Dims of the
// fragment are the block's.
program::Access slot_access(const Draft& draft, const tile::Box& box);

// Whether a thread copies the whole box at once, so that one is enough. CTAs of a cluster share each box.
bool is_one_access(const Draft& draft, const tile::Box& box);

// The ref as an operand of a ring with so many slots, filled by threads, and its field: by cp.async where that moves 4
// bytes at once or more, else through registers.
RingOperand thread_operand(Draft& draft, const std::string& name, const tile::Box& box, const Number& slots,
                           const SlotLayout& lies = {});
// The copy into the slot `ahead` after the ring's. `access`: of the step that it is for.
program::AsyncCopy slot_copy(const Draft& draft, int ring, int operand, const TypedPtr& ahead, const tile::Box& box,
                             program::Access access);

}  // namespace pallasgen
