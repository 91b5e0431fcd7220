#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "draw/pictures.h"
#include "plan/plan.h"

namespace pallasgen {

// A block of an array in the two dims that are drawn, and the programs that read or write it. It may extend past the
// edges of the array.
struct MapCell {
  int64_t row = 0, rows = 1, column = 0, columns = 1;  // elements [row, row + rows), [column, column + columns)
  std::vector<std::vector<int64_t>> values;  // per axis of the grid: its values in the programs and steps, ascending
  int64_t points = 0;                        // points of the grid: programs and their steps
  bool product = true;                       // true if the points are all combinations of `values`
  std::vector<int64_t> owner;                // the only program; empty if there are several
  bool chosen = false;                       // true if the chosen program is one of them
};

// The blocks of one array. A dim that is not drawn (-1) counts as one element.
struct ArrayMap {
  int ref = 0;
  int row_dim = -1, column_dim = -1;
  int64_t rows = 1, columns = 1;  // the array's size in the drawn dims
  std::vector<int64_t> extents;   // the array's size in each dim
  std::vector<SliceDim> first;    // a drawn block: the chosen program's if it has one
  std::vector<int> apart;         // dims along which blocks have different starts
  std::vector<MapCell> cells;     // sorted by row, then column
  int64_t elsewhere = 0;          // blocks that differ in dims that are not drawn
  std::string unknown;            // why there are no cells
};

struct BlockMap {
  std::map<std::string, int64_t> dims;
  std::vector<int64_t> sizes;    // per axis, at the first program; -1: depends on data, one is drawn
  std::vector<int64_t> drawn;    // the most values of each axis that are drawn
  int64_t points = 0;            // points of the grid that are drawn
  std::vector<int64_t> chosen;   // the program whose blocks are outlined, by parallel axis
  std::vector<ArrayMap> arrays;  // inputs, outputs and workspace
  int64_t more_arrays = 0;       // arrays that are left out
  bool cut() const;              // true if `drawn` is less than `sizes` on some axis
};

// The most points of a grid that are walked, and the most arrays that are drawn.
inline constexpr int64_t kMostPoints = 4096;
inline constexpr size_t kMostArrays = 24;

// The blocks of each array that the programs read or write, at the given sizes.
BlockMap block_map(const Plan& plan, const PictureSizes& sizes);

// The sizes in words: "Drawn for M = 256, N = 512. The grid (m, n, k) is 2 x 2 x 4 at its first program."
std::vector<std::string> block_map_words(const Plan& plan, const BlockMap& map);

class Drawing;
// Draws the arrays side by side from `top` on.
void draw_blocks(Drawing& drawing, const Plan& plan, const BlockMap& map, double top);

}  // namespace pallasgen
