#pragma once

#include "draft.h"

namespace pallasgen {

// Whether a ref's block is proved to be one run of memory that bulk copies take: no gaps, a multiple of 16 bytes long,
// starting at multiples of 16 bytes if the array does, which the launcher checks. Along one dim it may reach past the
// end. `why`: what is proved, or what is missing.
struct ProvedRun {
  bool holds = false;
  std::string why;
};
ProvedRun proved_run(const Draft& draft, int ref);

// A proved run's block in global memory, as slot_access has it; masked where it may reach past the end of the array.
program::Access run_access(const Draft& draft, int ref);

// The ref as an operand of a ring with so many slots, filled by bulk copies, and its field.
RingOperand bulk_operand(Draft& draft, const program::Access& access, const Number& slots);

}  // namespace pallasgen
