#pragma once
#include <cstdint>

#include "race.h"

namespace pallasgen::emulator {

struct Cta;

constexpr int kMmaBytes = 32;  // bytes along k in one wgmma

/// An operand tile of `extent` elements by 32 bytes of k, as the matrix descriptor defines it (PTX ISA, "Matrix
/// Descriptor Format"). MN-major tiles have 2-byte elements.
struct OperandTile {
  const char* name;
  uint64_t descriptor;
  bool mn_major;
  int extent, element_bytes;
};

/// Reads elements `first` to `end` - 1, multiples of 8, along the extent: out[k * extent + i] is element (i, k). Fails,
/// naming the tile, if the descriptor is malformed or leads outside the CTA's shared memory.
void read_operand(const Cta& cta, const OperandTile& tile, int first, int end, void* out, race::Context context,
                  const void* pc);

}  // namespace pallasgen::emulator
