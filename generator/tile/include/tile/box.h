#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "expression/typed.h"

namespace pallasgen::tile {

// How a box gets from an array or into it: a tensor copy, one run of bytes, copies by each thread that it need not wait
// for, loads or stores of the threads. The last two move `vector` elements at a time.
enum class PathKind : uint8_t { open, tensor, bulk, async, direct };
inline bool is_by_unit(PathKind kind) { return kind == PathKind::tensor || kind == PathKind::bulk; }
struct Path {
  PathKind kind = PathKind::open;
  int64_t vector = 1;
};

// One dim of a box of an array: `size` elements from `first` on (one, and the dim dropped, where there is no size).
struct BoxDim {
  TypedPtr first;
  std::optional<int64_t> size;
  TypedPtr size_text;        // the size as the spec writes it; null: as a number
  bool may_leave = true;     // some of it may lie outside the array: read as past the end, not written
  TypedPtr limit = nullptr;  // of a bounded slice: what lies at and after this element counts as past the end
  // Of a gather, a vector of integers of the body: element r of the box lies at each[first + r]; null: at first + r.
  TypedPtr each = nullptr;
};
// The elements of the dim from the one with this number on.
void advance(BoxDim& dim, const TypedPtr& by);
struct Box {
  int ref = -1;  // of Kernel::refs
  std::vector<BoxDim> dims;

  bool gathers() const {
    return std::any_of(dims.begin(), dims.end(), [](const BoxDim& dim) { return dim.each != nullptr; });
  }
};

}  // namespace pallasgen::tile
