#pragma once

#include "program/draft.h"
#include "proofs/copy_proofs.h"
#include "tile/program.h"

namespace pallasgen {

// A box that is proved to be a run; masked where it may reach past the end of the array.
program::Access run_access(const Draft& draft, const tile::Box& box);

// The box as an operand of a ring with so many slots, filled by bulk copies, and its field.
RingOperand bulk_operand(Draft& draft, const std::string& name, const tile::Box& box, const Number& slots);

}  // namespace pallasgen
