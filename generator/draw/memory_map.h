#pragma once

#include <string>
#include <vector>

#include "drawing.h"
#include "plan/plan.h"

namespace pallasgen {

enum class MemoryKind : uint8_t { slot, field, barrier, hole, padding, free };

// Bytes [begin, end) of the shared memory that a CTA may have. Pieces that share their bytes, because they are in use
// at different times, lie in lanes of one place.
struct MemoryPiece {
  MemoryKind kind = MemoryKind::field;
  int64_t begin = 0, end = 0;
  int field = -1;  // index in SharedMemory::fields; -1: none
  int slot = -1;   // number in a ring or in a staging area; -1: none
  int lane = 0, lanes = 1;
  Tone tone = Tone::grey;
  std::string label;
  int64_t bytes() const { return end - begin; }
};

// The pieces from byte 0 to the limit, in order; each byte belongs to one piece, or to one of each lane that covers it.
std::vector<MemoryPiece> memory_pieces(const Plan& plan);

// The tone of a field in every picture.
Tone field_tone(const Plan& plan, int field);
// The tone of a ring: that of its first operand.
Tone ring_tone(const Plan& plan, int ring);

// Draws shared memory from `top` on: a bar from 0 to the limit, a second bar for pieces too small to be seen in it, and
// a row for each field with its place and its bytes.
void draw_memory(Drawing& drawing, const Plan& plan, double top);
// The use of shared memory in a sentence.
std::string memory_words(const Plan& plan);

// Draws the bar alone, without text.
void draw_memory_bar(Drawing& drawing, const Plan& plan, const Area& bar);

}  // namespace pallasgen
