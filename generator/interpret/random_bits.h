#pragma once

#include <cstdint>

#include "value.h"

namespace pallasgen::interpreter {

// Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): u32 elements,
// element i being word i % 4 of the block with the key words (low, high half of `key`) and the counter words (low, high
// half of `counter` + i / 4, low, high half of `stream`).
Value random_bits(uint64_t key, uint64_t counter, uint64_t stream, const Shape& shape);

}  // namespace pallasgen::interpreter
