#pragma once

#include <map>
#include <vector>

#include "model/cta_counts.h"
#include "model/thread_accesses.h"

namespace pallasgen {

// Counted on the role programs of a finished plan, for the sizes of the example: loops and branches by their values,
// `while` as one turn, what depends on data as if it held.
struct CountedTile {
  Counts step;       // of loops over steps, shared out among all steps of a tile
  Counts tile;       // outside of them: also of steps in front of a loop or behind it
  double steps = 0;  // of a tile; 0: it has no loop over steps
  std::vector<ThreadAccess> accesses;
  bool by_data = false;  // there are loops of which the data say how long they are
};
CountedTile count_tile(const Plan& plan, const Example& example);

}  // namespace pallasgen
