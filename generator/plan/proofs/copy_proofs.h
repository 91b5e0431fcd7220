#pragma once

#include <optional>
#include <string>

#include "check/kernel.h"
#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Proofs, from a spec's facts, of the properties of arrays and boxes that copies need. The launcher checks the pointer.

// Returns the number of elements in 16 bytes, the unit of rows, boxes and runs.
int64_t needed_multiple(const Ref& ref);
// True if copies may bring zeros for elements past the end: there is no fill, or it has the bits of zero.
bool reads_zero_outside(const Ref& ref);
// A missing fact, without which rows of an array may start between multiples of 16 bytes, and a fact that would do.
struct PitchGap {
  std::string why;     // "nothing says that its stride L is whole 16-byte units"
  TypedPtr size = {};  // extent or stride that must be a known multiple of `multiple` elements; null: no single one
  int64_t multiple = 1;
};
// Returns the gap if the elements of a row are not known to be whole units: a vector may reach past them.
std::optional<PitchGap> gap_of_extent(const Ref& ref, const SymbolFacts& facts);
// Returns the gap of the strides from row to row; none if these follow from the extents.
std::optional<PitchGap> gap_of_strides(const Ref& ref, const SymbolFacts& facts);
// Returns the gap for tensor copies: rows must be contiguous, start at multiples of 16 bytes, and not be repeated.
std::optional<PitchGap> gap_of_pitch(const Ref& ref, const SymbolFacts& facts);

// The most elements, at most 16 bytes, that one access may move along the rows of a block: rows of the array are
// contiguous, and the last extent, the block's offset in it and its width are multiples. `why`: the proved or the
// missing fact.
struct ProvedVector {
  int64_t elements = 1;
  std::string why;
};
ProvedVector proved_vector(const Ref& ref, const SymbolFacts& facts, const TypedPtr& last_offset, int64_t width);

struct Proof {
  bool holds = false;
  std::string why;  // the proved or the missing fact
};
// Proves that a box is one run of memory that bulk copies take: without gaps, a multiple of 16 bytes long, and starting
// at multiples of 16 bytes if the array does. Along one dim it may reach past the end.
Proof proved_run(const Ref& ref, const tile::Box& box, const SymbolFacts& facts, const Target& target);

// Proves that tensor copies can bring a box from the array, with zeros outside, or store it there (`stores`). They
// begin at multiples of 16 bytes in a row, and stores begin inside the array. `cleared`: threads can clear the slot's
// rows past a bounded slice.
Proof proved_tensor(const Ref& ref, const tile::Box& box, bool stores, const SymbolFacts& facts, const Target& target,
                    bool cleared = false);
// Proves that the box divides into equal boxes of tensor copies with a swizzle of `swizzle` bytes; 0: not swizzled.
Proof proved_boxes(const Ref& ref, const tile::Box& box, int swizzle, const Target& target);
// Returns the largest divisor of `rows`, of `row_bytes` each, that fits a box of a tensor copy and lands at a legal
// address; 0 if there is none.
int64_t rows_of_box(const Target& target, int64_t rows, int64_t row_bytes, bool swizzled);

}  // namespace pallasgen
