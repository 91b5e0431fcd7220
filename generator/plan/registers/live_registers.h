#pragma once

#include "tile/walk.h"

namespace pallasgen {

// The 32-bit registers that one thread of a role holds values in where most are alive. Values that are computed element
// by element for one other need none.
struct LiveRegisters {
  int64_t words = 0;
  std::vector<std::pair<int64_t, tile::ValueId>> values;  // the largest first
};
// Of a program with layouts; a value without one is shared out evenly.
LiveRegisters live_registers(const tile::Program& program, const tile::Role& role);

inline constexpr int64_t kAddressWords = 22;  // slots, phases, descriptors, sizes
// Registers of a thread with which an SM has half of its threads, and those of them for what is not counted: at the
// least, and where it costs little to need fewer.
inline constexpr int64_t kUsualRegisters = 64, kSpareRegisters = 6, kMoreSpareRegisters = 8;

// Registers besides values, of a program with layouts: the compiler computes where all vectors of a block go before it
// stores the first.
int64_t address_registers(const tile::Program& program, const tile::Role& role);

// Registers that a thread of the role needs at once, for values and addresses.
int64_t registers_needed(const tile::Program& program, const tile::Role& role);

}  // namespace pallasgen
