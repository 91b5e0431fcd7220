#pragma once

#include "model/cta_counts.h"
#include "model/lane_places.h"
#include "model/loops_around.h"
#include "model/sectors.h"

namespace pallasgen {

// The source of an access: a copy unit that one thread starts, or threads, which copy to shared memory, access blocks
// in registers or one element at a time.
enum class AccessBy : uint8_t { unit, copy, block, element };

// The accesses of one statement to an array, in all steps of a tile.
struct ThreadAccess {
  int ref = -1;
  bool reads = false;
  AccessBy by = AccessBy::element;
  double bytes = 0;      // of one access of a lane; 0: a unit moves them
  double accesses = 0;   // of all lanes
  double needed = 0;     // fewest accesses: 16 bytes each, or one element if data scatter them or they are atomic
  double repeats = 1;    // iterations of the enclosing loops in which the place stays the same
  Sectors of_warp = {};  // empty for copies and units
  Moved moved = {};
};

// One element of an array in each lane of a loop over elements or over a fragment.
struct ElementAccess {
  int ref;
  const std::vector<TypedPtr>& index;
  const std::vector<program::Binding>& bindings;
  bool reads, atomic;
  std::vector<Lane> lanes;                        // of the first warp
  std::function<std::vector<Lane>(size_t)> walk;  // lanes at consecutive elements along one dim (LoopLanes::along)
  size_t dims;                                    // of the loop
};

// Counts the accesses of single statements. `known`: values of symbols at the statement.
class AccessCounter {
 public:
  AccessCounter(const Plan& plan, const Example& example, Example::Values known)
      : plan_(plan), example_(example), known_(std::move(known)), places_(plan, example) {}

  LoopsAround& loops() { return loops_; }
  LanePlaces& places() { return places_; }

  // `running`: lanes in all iterations. The caller computes the bytes moved, as it models the caches; `apart` is the
  // share of the lanes with distinct places. Nothing if the place cannot be computed.
  struct Elements {
    ThreadAccess access;
    double apart = 1;
  };
  std::optional<Elements> elements(const ElementAccess& access, double running) const;
  // Counts the accesses to `bytes` of a block by threads that hold it in this layout.
  ThreadAccess block(const program::Access& access, const ValueLayout& layout, bool reads, bool atomic,
                     double bytes) const;
  // Counts the copies of `bytes` of an operand of a ring; `each`: bytes of a thread's access, 0 if units move them.
  ThreadAccess copy(int ref, double each, double bytes) const;
  ThreadAccess store(const program::TensorStore& store, double bytes) const;

 private:
  std::vector<std::vector<int64_t>> places_of(const ElementAccess& access, const std::vector<Lane>& lanes,
                                              bool& by_data) const;
  double repeats_of(const std::vector<TypedPtr>& offsets) const;

  const Plan& plan_;
  const Example& example_;
  const Example::Values known_;
  LoopsAround loops_;  // outermost first
  LanePlaces places_;
};

}  // namespace pallasgen
