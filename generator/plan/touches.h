#pragma once

#include <map>
#include <string>
#include <vector>

namespace pallasgen {

enum class Touch : uint8_t { read, write, atomic };

// A tile or array that a statement of a role touches. `owner`: the same for accesses in which each element is the same
// thread's; empty: any thread's.
struct TouchedPlace {
  std::string name;  // of the tile or array; empty: all of global memory, for what an order says of it
  Touch touch;
  std::string owner;
  bool global = false;
  int commutes = 0;  // atomics of the same number, not 0, may take effect in any order
  int overlay = -1;  // of a tile (SharedField::overlay)
  // Of an array: its ref, and the dims in which it is reached at one index that is a constant.
  int ref = -1;
  std::map<size_t, int64_t> fixed = {};
};

// The owner of what one thread of the role does, which is always the same.
inline constexpr const char* kOneThread = "one thread";

// Whether a thread may meet in `now` what another has touched in `before`, one of both having written it.
bool conflict(const TouchedPlace& before, const TouchedPlace& now);

// Why threads wait for one another: "tops is written", "tops, bins and others have been read".
std::string text_of_touched(const std::vector<std::string>& names, bool read);

}  // namespace pallasgen
