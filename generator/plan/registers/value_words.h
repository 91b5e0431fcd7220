#pragma once

#include <cstdint>

#include "tile/program.h"

namespace pallasgen {

// 32-bit registers that a thread of the role holds the value in, where it is whole: as many as its layout says, shared
// out evenly without one, and none in shared memory. Elements of fewer bits are packed, unless ptxas holds them apart.
int64_t words_of(const tile::Program& program, const tile::Role& role, tile::ValueId id);

// Registers of one element of an expression, which is packed with no other.
int64_t words_of_element(DType dtype);

// Elements of an expression that a thread of the role has in registers: as many as of a value of its shape that it
// reads.
int64_t elements_in_registers(const tile::Program& program, const tile::Role& role, const TypedPtr& expr);

// Whether each element of the expression is computed from the elements of its place alone; those of random numbers are
// where `random` says so.
bool is_by_elements(const TypedPtr& expr, bool random);

}  // namespace pallasgen
