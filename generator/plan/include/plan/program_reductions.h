#pragma once

#include <cstdint>
#include <string>

#include "expression/typed.h"
#include "plan/number.h"

// The statements of a role that combine elements.
namespace pallasgen::program {

// How threads put together what each has of a result: by shuffles in a warp and through a tile across warps; or in
// shared memory alone, by neighbouring pairs at growing distances or the upper half onto the lower one.
enum class ReduceStrategy : uint8_t { shuffle, neighbours, halves };

// target = combination of `source` along `axis`: registers first (`own`), then the threads that share a result
// (`lanes`: of what target holds), by the strategy, through the tile `field` (-1: shuffles of a row that stays in a
// warp, or of columns of which one warp or group has all rows). Every thread that holds a part of the row holds the
// result: the layout of target is the row slice of the
// source's. Where warpgroups have columns each (`across`), one goes on from what those before it have of the rows, by
// the tile, and columns are reduced in each warpgroup's lines of it. A scan (`running`) keeps source's layout; each
// row's element of `column` (`picked`) comes from the thread that has it.
enum class ReducePart : uint8_t { all, own, lanes, running, picked };
struct ReduceFragment {
  int target, source;
  Op op;  // sum, prod, max, min, any, all
  int axis, field = -1;
  std::string quoted = {};
  ReducePart part = ReducePart::all;
  ReduceStrategy strategy = ReduceStrategy::shuffle;
  int64_t threads = 1;  // that share a result
  bool across = false;
  Number column = {};

  // Whether no other warp touches a warp's part of the tile.
  bool in_warp() const { return axis == 1 && threads <= 32 && !across; }
};

// In a loop by warps: `total` becomes the combination of those of all lanes, in all lanes. argmax, argmin: so do the
// best value and, by `position`, where it is, the first of equals. Shuffles, or else by tiles in which each warp has a
// line of its own: of values, and of positions where there are some.
struct ReduceLanes {
  int total;  // of Plan::scalars
  Op op;      // sum, prod, max, min, any, all, argmax, argmin
  int position = -1;
  ReduceStrategy strategy = ReduceStrategy::shuffle;
  int field = -1, positions = -1;
};

// The first element of a tile of one dim = the combination of all of them, by all threads of the role, which come
// together behind each step. The strategy is not shuffle.
struct ReduceTile {
  int field;
  Op op;  // sum, prod, max, min, any, all
  ReduceStrategy strategy;
};

// In a loop by lanes, whose turns all lanes of the warp run together: `total` becomes the combination of `before` and
// of the lanes' totals up to this one's; `before`, that of them all.
struct ScanLanes {
  int total, before;  // of Plan::scalars
  Op op;              // sum, max
};

}  // namespace pallasgen::program
