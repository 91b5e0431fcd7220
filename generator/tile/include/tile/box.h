#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "expression/typed.h"

namespace pallasgen::tile {

// How a box is moved between an array and registers or shared memory: a tensor copy, a bulk copy, cp.async of each
// thread, or plain loads and stores of the threads. The last two move `vector` elements at a time.
enum class PathKind : uint8_t { open, tensor, bulk, async, direct };
inline bool is_by_unit(PathKind kind) { return kind == PathKind::tensor || kind == PathKind::bulk; }
struct Path {
  PathKind kind = PathKind::open;
  int64_t vector = 1;
};

// One dim of a box: `size` elements from `first` on; no size: the one element `first`, and the dim is dropped.
struct BoxDim {
  TypedPtr first;
  std::optional<int64_t> size;
  TypedPtr size_text;        // the size as the spec writes it; null: as a number
  bool may_leave = true;     // it may reach outside the array, where elements read as past the end and are not written
  TypedPtr limit = nullptr;  // of a bounded slice: elements from this one on count as past the end
  // Of a gather, a vector of integers: element r of the box is element each[first + r] of the array; null: first + r.
  TypedPtr each = nullptr;
};
// Moves the dim's start, and its limit if it has one, by `by` elements.
void advance(BoxDim& dim, const TypedPtr& by);
struct Box {
  int ref = -1;  // of Kernel::refs
  std::vector<BoxDim> dims;

  bool gathers() const {
    return std::any_of(dims.begin(), dims.end(), [](const BoxDim& dim) { return dim.each != nullptr; });
  }
};

}  // namespace pallasgen::tile
