#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "program/draft.h"

namespace pallasgen {

// The fields of shared memory through which warps combine their parts of rows or columns. Reductions alternate between
// two equal fields, so that one may write while slower warps still read the previous one's.
class PartialTiles {
 public:
  // The threads that share a result: `lanes` of the role's threads share a row, `in_band` threads of each band a
  // column. A band is a warp's part of a block of rows, or the rows that a group of lanes takes round robin.
  struct Sharing {
    Number threads;
    int64_t lanes;
    Number bands;
    Number rows;  // of the matrix; of accumulators 0
    Number columns;
    int64_t in_band;  // threads of a band that share a column
    int64_t vector;   // neighbouring elements of a thread
    int64_t runs;     // vectors of a thread, which a scan takes one by one
    int64_t across;   // warpgroups that divide the columns; 1: none, or they divide the rows
    int64_t slots;    // of accumulators, rows of which a thread has elements
  };
  // Sets how the threads that share a result of `reduce` combine their parts, and the field through which they do.
  void choose_combination(Draft& draft, program::ReduceFragment& reduce, const Sharing& sharing);

 private:
  void share_across(Draft& draft, program::ReduceFragment& reduce, const Sharing& sharing);
  // The field that a reduction needs. Rows: a line for each result of a thread, with an element per thread or warp.
  // Columns: a line for each band, each thread that shares a column, or each row, with an element per column.
  struct Tile {
    DType dtype;
    Number lines, length;
    int64_t vector;             // neighbouring elements of an access
    Number copies = number(1);  // of the lines; the first dim
    bool alone = false;         // without a second field: a barrier costs less, or copies alternate
  };
  // Returns the field for the next reduction that needs such a tile.
  int next(Draft& draft, Tile tile);

  using Key = std::tuple<DType, int64_t, int64_t, int64_t, int64_t, bool>;  // the members of Tile
  std::map<Key, std::vector<int>> fields_;
  std::map<Key, size_t> turn_;
};

// If a role has several such fields, names each after the value that is combined through it, the first if one operation
// reduces several. A field of several operations keeps its name.
void name_partial_tiles(Draft& draft, program::Statements& statements);

}  // namespace pallasgen
