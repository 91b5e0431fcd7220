#pragma once

#include "program/draft.h"
#include "proofs/copy_proofs.h"
#include "tile/program.h"

namespace pallasgen {

// The access to a box that is proved to be one run of memory; masked if it may pass the end of the array.
program::Access run_access(const Draft& draft, const tile::Box& box);

// Makes the operand of a ring with `slots` slots that bulk copies fill from the box, and adds its field.
RingOperand bulk_operand(Draft& draft, const std::string& name, const tile::Box& box, const Number& slots);

}  // namespace pallasgen
