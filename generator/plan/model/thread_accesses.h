#pragma once

#include "model/cta_counts.h"
#include "model/lane_places.h"
#include "model/loops_around.h"
#include "model/sectors.h"

namespace pallasgen {

// How an access goes: by a unit that one thread starts, or by threads: copies to shared memory, blocks in registers, or
// one element at a time.
enum class AccessBy : uint8_t { unit, copy, block, element };

// The accesses of one statement to an array, of all steps of a tile.
struct ThreadAccess {
  int ref = -1;
  bool reads = false;
  AccessBy by = AccessBy::element;
  double bytes = 0;      // of one access of a lane; 0: a unit moves them
  double accesses = 0;   // of lanes
  double needed = 0;     // accesses of 16 bytes, of single elements where data put them apart, of atomics each
  double repeats = 1;    // turns of the loops around in which the place stays
  Sectors of_warp = {};  // none: of copies and units
  Moved moved = {};
};

// One element of an array in each lane of a loop over elements or over a fragment.
struct ElementAccess {
  int ref;
  const std::vector<TypedPtr>& index;
  const std::vector<program::Binding>& bindings;
  bool reads, atomic;
  std::vector<Lane> lanes;                        // of the first warp
  std::function<std::vector<Lane>(size_t)> walk;  // as many that go along one dim of the loop, first elsewhere
  size_t dims;                                    // of the loop
};

// Counts single accesses. `known`: what is known of symbols where the statement stands.
class AccessCounter {
 public:
  AccessCounter(const Plan& plan, const Example& example, Example::Values known)
      : plan_(plan), example_(example), known_(std::move(known)), places_(plan, example) {}

  LoopsAround& loops() { return loops_; }
  LanePlaces& places() { return places_; }

  // `running`: so many lanes in all turns. The bytes moved are left to the caller, who knows what caches hold, but for
  // how many of the lanes want places of their own (`apart`). Nothing where the place is beyond counting.
  struct Elements {
    ThreadAccess access;
    double apart = 1;
  };
  std::optional<Elements> elements(const ElementAccess& access, double running) const;
  // So many bytes of a block by threads that hold it in this layout.
  ThreadAccess block(const program::Access& access, const ValueLayout& layout, bool reads, bool atomic,
                     double bytes) const;
  // So many bytes of an operand of a ring; `each`: bytes of an access of a thread, 0: units move them.
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
