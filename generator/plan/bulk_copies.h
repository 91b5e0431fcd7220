#pragma once

#include "copy_proofs.h"
#include "draft.h"

namespace pallasgen {

// Whether a ref's block is one run (copy_proofs.h).
Proof proved_run(const Draft& draft, int ref);

// A proved run's block in global memory, as slot_access has it; masked where it may reach past the end of the array.
program::Access run_access(const Draft& draft, int ref);

// The ref as an operand of a ring with so many slots, filled by bulk copies, and its field.
RingOperand bulk_operand(Draft& draft, const program::Access& access, const Number& slots);

}  // namespace pallasgen
