#pragma once

#include <map>
#include <string>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

enum class Touch : uint8_t { read, write, atomic };

// The elements of an access in one dim: `size` elements from `first`, moved by any multiple of `step`.
struct Reach {
  int64_t first = 0, size = 1, step = 0;
  bool operator==(const Reach&) const = default;
};
// A tile or array that a statement of a role touches. `owner`: equal for accesses that give each element to the same
// thread; empty if any thread may touch it.
struct TouchedPlace {
  std::string name;  // of the tile or array; empty: all of global memory, for memory orders
  Touch touch;
  std::string owner;
  bool global = false;
  int commutes = 0;  // atomics of the same number, not 0, may take effect in any order
  int overlay = -1;  // of a tile (SharedField::overlay)
  // Of an array: its ref, and the elements of each dim that accesses reach, if they are known.
  int ref = -1;
  std::map<size_t, Reach> reaches = {};
};

// Notes that accesses reach `size` elements from the index on in a dim of an array of the dtype, if the index is a sum
// of multiples of symbols. Elements that share a byte are left out: threads write them together.
void note_reach(TouchedPlace& place, DType dtype, size_t dim, const TypedPtr& index, int64_t size);

// The owner of accesses by one thread of the role, which is always the same.
inline constexpr const char* kOneThread = "one thread";

// True if a thread may touch in `now` an element that another has touched in `before`, and one of them writes it.
bool conflict(const TouchedPlace& before, const TouchedPlace& now);

// Says why threads wait for one another: "tops is written", "tops, bins and others have been read".
std::string text_of_touched(const std::vector<std::string>& names, bool read);

}  // namespace pallasgen
