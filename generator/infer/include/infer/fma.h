#pragma once

#include "expression/typed.h"
#include "layout/fma.h"
#include "tile/program.h"

namespace pallasgen {

// Operand 0 or 1 of a product of two matrices as it lies in shared memory.
FmaOperand fma_operand(const Apply& product, size_t operand);
// The blocks in which `threads` threads multiply the dot.
FmaBlocks fma_blocks(const tile::Dot& dot, int64_t threads);
ValueLayout fma_layout(const tile::Dot& dot, int64_t threads);
// fma_conflicts() of an operand that lies swizzled over `span` bytes, or not at all (0).
int64_t fma_conflicts(const tile::Dot& dot, int64_t threads, size_t operand, int64_t span);
// fma_step() of an operand.
int64_t fma_step(const Apply& product, size_t operand);

}  // namespace pallasgen
