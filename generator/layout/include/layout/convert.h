#pragma once

#include "layout/memory.h"
#include "layout/reduce.h"

namespace pallasgen {

// By what a value gets from its registers in one layout into those of another: it lies there already; by registers of
// each thread; by shuffles within warps; through shared memory.
enum class MovePath : uint8_t { none, registers, lanes, memory };

// Who must have stored before any of them loads.
enum class Meeting : uint8_t { warp, warpgroup, all };

// What one lane does in a shuffle: it gives the word that these registers of the old layout make, and takes a lane's
// word, the i-th of its registers into the i-th of these of the new one. (A register that goes into several is named
// for each and is in the word once.) Elements wider than a word take several shuffles, each of which does the same.
struct LaneExchange {
  std::vector<int> gives;
  int takes = -1;  // a lane; -1: what comes is not used
  std::vector<int> into;
  bool operator==(const LaneExchange&) const = default;
};
// One shuffle of all lanes: of a warp, where all warps do the same; else of all threads.
struct LaneRound {
  std::vector<LaneExchange> lanes;
  int mask = 0;  // each lane takes from the one that differs in these bits; 0: from the one that its exchange names
};

// The trip through shared memory. Of threads that hold the same element, one stores it: its lane is in `lanes` and its
// warp in `warps`.
struct MemoryTrip {
  SharedForm form;
  int64_t bytes = 0;
  SharedAccess store, load;
  uint32_t lanes = 0;
  std::vector<int> warps;
  Meeting meeting = Meeting::all;
};

struct Conversion {
  MovePath path = MovePath::none;
  // For each register of the new layout, the one of the old layout of the same thread that holds the element; -1:
  // another lane does, or none. Of all threads where there is one row, else of each. Empty with MovePath::memory.
  std::vector<std::vector<int>> own;
  std::vector<LaneRound> rounds;  // what comes from other lanes; overrides own
  MemoryTrip memory;
  MovePrice price;
};

// The cheapest way from one full layout of a block to another of the same block. The threads of the one with fewer are
// the first of the other. `store_matrices`: the target has stmatrix.
Conversion convert_layout(const ValueLayout& from, const ValueLayout& to, int64_t element_bytes,
                          bool store_matrices = true);

}  // namespace pallasgen
