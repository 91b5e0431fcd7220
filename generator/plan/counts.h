#pragma once

#include <map>
#include <vector>

#include "sectors.h"

namespace pallasgen {

// Bytes of one array that a CTA reads or writes: those that it wants, and those of the 32-byte sectors that its warps
// touch.
struct Moved {
  double wanted = 0, touched = 0;
};

// What one CTA does, all its threads together.
struct Counts {
  std::map<int, Moved> moved;  // global memory, by ref
  double read = 0;             // of the bytes wanted, those that are waited for
  double in_flight = 0;        // of them, what is under way at once
  double operations = 0;       // multiplications and additions of matrix instructions
  double matrix = 0;           // the same in operations on 16 bits, which take as long
  double slots = 0;            // instructions of the ordinary cores, of one lane each

  double wanted() const;
  double touched() const;
};

// An access of threads to an array: to one element in a loop over elements, or to a block by fragments.
struct ThreadAccess {
  int ref = -1;
  bool reads = false;
  const std::vector<TypedPtr>* index = nullptr;  // of the element; null: a block
  const program::ForElements* loop = nullptr;    // the innermost one around an element
  Sectors of_warp;
  Moved moved;  // by all tiles of one step
};

// Counted on the role programs of a finished plan, for the sizes of the example: loops and branches by their values,
// `while` as one turn, what depends on data as if it held.
struct CountedTile {
  Counts step;                         // of loops over steps, shared out among all steps of a tile
  Counts tile;                         // outside of them: also of steps in front of a loop or behind it
  double steps = 0;                    // of a tile; 0: it has no loop over steps
  std::vector<ThreadAccess> accesses;  // of which the place is known without data
  bool by_data = false;                // there are loops of which the data say how long they are
};
CountedTile count_tile(const Plan& plan, const Example& example);

}  // namespace pallasgen
