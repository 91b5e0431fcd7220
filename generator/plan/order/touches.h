#pragma once

#include <map>
#include <string>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

enum class Touch : uint8_t { read, write, atomic };

// Of one dim: `size` elements from `first` on, or from as many as a multiple of `step` further on.
struct Reach {
  int64_t first = 0, size = 1, step = 0;
  bool operator==(const Reach&) const = default;
};
// A tile or array that a statement of a role touches. `owner`: the same for accesses in which each element is the same
// thread's; empty: any thread's.
struct TouchedPlace {
  std::string name;  // of the tile or array; empty: all of global memory, for what an order says of it
  Touch touch;
  std::string owner;
  bool global = false;
  int commutes = 0;  // atomics of the same number, not 0, may take effect in any order
  int overlay = -1;  // of a tile (SharedField::overlay)
  // Of an array: its ref, and by dim what is known of the elements that it is reached at.
  int ref = -1;
  std::map<size_t, Reach> reaches = {};
};

// Notes that accesses reach `size` elements from the index on in a dim of an array of the dtype, where it is a sum of
// multiples of symbols. Of elements that share a byte nothing is known: threads write them together.
void note_reach(TouchedPlace& place, DType dtype, size_t dim, const TypedPtr& index, int64_t size);

// The owner of what one thread of the role does, which is always the same.
inline constexpr const char* kOneThread = "one thread";

// Whether a thread may meet in `now` what another has touched in `before`, one of both having written it.
bool conflict(const TouchedPlace& before, const TouchedPlace& now);

// Why threads wait for one another: "tops is written", "tops, bins and others have been read".
std::string text_of_touched(const std::vector<std::string>& names, bool read);

}  // namespace pallasgen
