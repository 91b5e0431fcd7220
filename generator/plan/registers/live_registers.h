#pragma once

#include "tile/walk.h"

namespace pallasgen {

// The most 32-bit registers of a role's thread that hold live values at one place. Values that are computed element by
// element for a single use need none.
struct LiveRegisters {
  int64_t words = 0;
  std::vector<std::pair<int64_t, tile::ValueId>> values;  // the largest first
};
// Computes them for a program with layouts; the elements of a value without one count as divided evenly among threads.
LiveRegisters live_registers(const tile::Program& program, const tile::Role& role);

inline constexpr int64_t kAddressWords = 22;  // slots, phases, descriptors, sizes
// Registers of a thread with which an SM runs half of its threads, and spare ones among them for registers that are not
// counted: at least so many, and more if needing fewer registers costs little.
inline constexpr int64_t kUsualRegisters = 64, kSpareRegisters = 6, kMoreSpareRegisters = 8;

// Returns the registers for addresses, in a program with layouts: the compiler computes the addresses of all vectors of
// a block before it stores the first.
int64_t address_registers(const tile::Program& program, const tile::Role& role);

// Returns the registers that a thread of the role needs at once, for values and addresses.
int64_t registers_needed(const tile::Program& program, const tile::Role& role);

}  // namespace pallasgen
