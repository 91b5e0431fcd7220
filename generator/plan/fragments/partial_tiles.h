#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "program/draft.h"

namespace pallasgen {

// The fields through which several warps combine their parts of rows or columns. A few stand in turn, so that one
// reduction may write while slower warps still read the last one's.
class PartialTiles {
 public:
  // Who shares results of a reduction: `lanes` of the role's threads a row, or each thread of the bands of rows a
  // column. A band is what a warp has of a block of rows, or a group of lanes of rows in turn.
  struct Sharing {
    Number threads;
    int64_t lanes;
    Number bands;
    Number rows;  // in turn; of accumulators 0
    Number columns;
    int64_t in_band;  // threads of a band that share a column
    int64_t vector;   // neighbouring elements that a thread has
    int64_t runs;     // of such, which a scan takes one by one
    int64_t across;   // warpgroups that have columns each; 1: they have rows, if there are several
    int64_t slots;    // rows of which a thread has elements
  };
  // How the threads that share a result put it together, and the field through which they do.
  void choose_way(Draft& draft, program::ReduceFragment& reduce, const Sharing& sharing);

 private:
  void share_across(Draft& draft, program::ReduceFragment& reduce, const Sharing& sharing);
  // What a reduction needs: a line of each number that a thread has of rows, of its threads or their warps; or a line
  // of columns for each of those that have a part of them, or for each row.
  struct Tile {
    DType dtype;
    Number lines, length;
    int64_t vector;             // neighbouring elements of an access
    Number copies = number(1);  // of the lines, in front of them
    bool alone = false;         // so large that a barrier before it is used again costs less than a second one
  };
  // The field for the next reduction.
  int next(Draft& draft, Tile tile);

  using Key = std::tuple<DType, int64_t, int64_t, int64_t, int64_t, bool>;  // the members of Tile
  std::map<Key, std::vector<int>> fields_;
  std::map<Key, size_t> turn_;
};

// Where a role has several such fields, each takes the name of the value that is put together through it, or of the
// first of several that are reduced by one operation. A field of several operations keeps the name that it has.
void name_partial_tiles(Draft& draft, program::Statements& statements);

}  // namespace pallasgen
