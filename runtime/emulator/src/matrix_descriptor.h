#pragma once
#include <cstdint>

#include "race.h"

namespace pallasgen::emulator {

struct Cta;

constexpr int kMmaBytes = 32;  // along k in one wgmma

/// Reads an operand tile of `extent` elements by 32 bytes of k, as the matrix descriptor says (PTX ISA, "Matrix
/// Descriptor Format"): out[k * extent + i] is element (i, k). MN-major tiles are of 2-byte elements. Fails, naming
/// `what`, when the descriptor is malformed or leads outside the CTA's shared memory.
void read_operand(const Cta& cta, uint64_t descriptor, bool mn_major, int extent, int element_bytes, void* out,
                  race::Context context, const void* pc, const char* what);

}  // namespace pallasgen::emulator
