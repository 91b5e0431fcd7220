#pragma once
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

#include "race.h"

namespace pallasgen::emulator {

struct Cta;

constexpr int kMmaK = 16;  // elements of 16 bits along k in one wgmma

/// Reads an operand tile of `extent` by 16 elements of 16 bits, as the matrix descriptor says (PTX ISA, "Matrix
/// Descriptor Format"): out[k * extent + i] is element (i, k). Fails, naming `what`, when the
/// descriptor is malformed or leads outside the CTA's shared memory.
void read_operand(const Cta& cta, uint64_t descriptor, bool mn_major, int extent, uint16_t* out, race::Context context,
                  const void* pc, const char* what);

/// Widens 16-bit floating-point numbers.
void widen(OperandType type, const uint16_t* from, float* to, int count);

}  // namespace pallasgen::emulator
