#pragma once

#include <map>
#include <vector>

#include "model/cta_counts.h"
#include "model/thread_accesses.h"

namespace pallasgen {

// Counts of the role programs of a finished plan, for the sizes of the example: loops and branches count by their
// values, `while` as one iteration, and conditions that depend on data as true.
struct CountedTile {
  Counts step;       // one step: the average over the loops over steps
  Counts tile;       // the rest of a tile, with steps before and after these loops
  double steps = 0;  // steps of a tile; 0: it has no loop over steps
  std::vector<ThreadAccess> accesses;
  bool by_data = false;  // there are loops whose length depends on data
};
CountedTile count_tile(const Plan& plan, const Example& example);

}  // namespace pallasgen
