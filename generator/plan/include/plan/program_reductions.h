#pragma once

#include <cstdint>
#include <string>

#include "expression/typed.h"
#include "plan/number.h"

// Statements of a role that combine elements.
namespace pallasgen::program {

// How threads combine their partial results: by shuffles in a warp and through a tile across warps; or in shared memory
// alone, by neighbouring pairs at growing distances or by combining the lower half with the upper one.
enum class ReduceStrategy : uint8_t { shuffle, neighbours, halves };

// target = combination of `source` along `axis`: first each thread combines its own elements (`own`), then the threads
// that share a result combine what target holds (`lanes`), by the strategy, through the tile `field` (-1: by shuffles
// of a row that stays in a warp, or of columns whose rows one warp or group has). Every thread that holds a part of the
// row holds the result: target has the row slice of source's layout. If each warpgroup has columns (`across`), each
// continues, through the tile, with the row results of the warpgroups before it, and reduces columns in its own lines
// of the tile. A scan (`running`) keeps source's layout; `picked` takes each row's element of `column` from the thread
// that has it.
enum class ReducePart : uint8_t { all, own, lanes, running, picked };
struct ReduceFragment {
  int target, source;
  Op op;  // sum, prod, max, min, any, all
  int axis, field = -1;
  std::string quoted = {};
  ReducePart part = ReducePart::all;
  ReduceStrategy strategy = ReduceStrategy::shuffle;
  int64_t threads = 1;  // threads that share a result
  bool across = false;
  Number column = {};

  // True if no other warp touches a warp's part of the tile.
  bool in_warp() const { return axis == 1 && threads <= 32 && !across; }
};

// In a loop by warps: combines `total` of all lanes, and all lanes hold the result. For argmax and argmin it is the
// best value, and `position` its place, the first among equals. Lanes combine by shuffles, or through tiles in which
// each warp has a line of its own: `field` for values and `positions` for their places.
struct ReduceLanes {
  int total;  // index in Plan::scalars
  Op op;      // sum, prod, max, min, any, all, argmax, argmin
  int position = -1;
  ReduceStrategy strategy = ReduceStrategy::shuffle;
  int field = -1, positions = -1;
};

// The first element of a tile of one dim = the combination of all its elements, by all threads of the role, which sync
// after each step. The strategy is not shuffle.
struct ReduceTile {
  int field;
  Op op;  // sum, prod, max, min, any, all
  ReduceStrategy strategy;
};

// In a loop by lanes, whose iterations all lanes of the warp run together: `total` becomes the combination of `before`
// and the totals of the lanes up to this one; `before` becomes the combination of it and the totals of all lanes.
struct ScanLanes {
  int total, before;  // indices in Plan::scalars
  Op op;              // sum, max
};

}  // namespace pallasgen::program
