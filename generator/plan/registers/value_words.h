#pragma once

#include <cstdint>

#include "tile/program.h"

namespace pallasgen {

// Returns the 32-bit registers in which a thread of the role holds the whole value, by its layout or an even share; 0
// in shared memory. Narrow elements are packed, unless ptxas keeps each in a register of its own.
int64_t words_of(const tile::Program& program, const tile::Role& role, tile::ValueId id);

// Returns the registers of one element of an expression, which is not packed with others.
int64_t words_of_element(DType dtype);

// Returns how many elements of an expression a thread of the role has in registers: those of a value of the same shape
// that it reads, or an even share.
int64_t elements_in_registers(const tile::Program& program, const tile::Role& role, const TypedPtr& expr);

// True if each element of the expression is computed only from elements at its own place; random numbers count as such
// if `random`.
bool is_by_elements(const TypedPtr& expr, bool random);

}  // namespace pallasgen
