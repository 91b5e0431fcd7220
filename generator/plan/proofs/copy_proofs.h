#pragma once

#include <optional>
#include <string>

#include "check/kernel.h"
#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// What a spec's facts prove of an array and of a box in it, which copies ask for. The launcher checks the pointer.

// Elements in the 16 bytes that rows, boxes and runs are made of.
int64_t needed_multiple(const Ref& ref);
// Whether zeros serve past the end: the fill is zero, of the bits of zero, or there is none.
bool reads_zero_outside(const Ref& ref);
// What nothing says of the rows of an array, so that they may begin amid 16 bytes, and what would do.
struct PitchGap {
  std::string why;     // "nothing says that its stride L is whole 16-byte units"
  TypedPtr size = {};  // the extent or stride that must be a known multiple of so many elements; null: another must be
  int64_t multiple = 1;
};
// Of the elements of a row: a vector may reach past them.
std::optional<PitchGap> gap_of_extent(const Ref& ref, const SymbolFacts& facts);
// Of the strides from row to row; none where these follow from the extents.
std::optional<PitchGap> gap_of_strides(const Ref& ref, const SymbolFacts& facts);
// What tensor copies miss: rows are contiguous, whole units of 16 bytes and start at such, none of them repeated.
std::optional<PitchGap> gap_of_pitch(const Ref& ref, const SymbolFacts& facts);

// The most elements that one access may move at once along the rows of a block: the last extent, the block's offset in
// it and its width are multiples, the array is contiguous; at most 16 bytes. `why`: what is proved, or what is missing.
struct ProvedVector {
  int64_t elements = 1;
  std::string why;
};
ProvedVector proved_vector(const Ref& ref, const SymbolFacts& facts, const TypedPtr& last_offset, int64_t width);

// Whether a box is proved to be one run of memory that bulk copies take: no gaps, a multiple of 16 bytes long, starting
// at multiples of 16 bytes if the array does. Along one dim it may reach past the end.
struct Proof {
  bool holds = false;
  std::string why;  // what is proved, or what is missing
};
Proof proved_run(const Ref& ref, const tile::Box& box, const SymbolFacts& facts, const Target& target);

// Whether tensor copies bring a box from the array, with zeros outside, or back into it (`stores`). They begin at whole
// 16 bytes of a row, and stores begin in the array. `cleared`: threads may clear rows past a bounded slice in the slot.
Proof proved_tensor(const Ref& ref, const tile::Box& box, bool stores, const SymbolFacts& facts, const Target& target,
                    bool cleared = false);
// Whether equal parts of the box are boxes of tensor copies, swizzled in `swizzle` bytes, 0: as it lies.
Proof proved_boxes(const Ref& ref, const tile::Box& box, int swizzle, const Target& target);
// The largest part of `rows`, of so many bytes each, that divides them, fits a box of a tensor copy and lands where one
// may; 0: there is none.
int64_t rows_of_box(const Target& target, int64_t rows, int64_t row_bytes, bool swizzled);

}  // namespace pallasgen
