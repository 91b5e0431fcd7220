#pragma once

#include "infer/edges.h"
#include "program/draft.h"

namespace pallasgen {

// The blocks of a body whose rows are reduced, as a matrix: its rows run along the last dim, and leading dims of one
// element are ignored. A row belongs to `lanes` threads, whatever the schedule, so that sums have the same bits in
// every schedule.
struct RowsFrame {
  Number rows, columns;
  int64_t lanes = 32;
  int64_t vector = 1;  // elements that a lane holds in a row
};

// The name that the file gives to the layout of the matrix.
inline constexpr const char* kRowsName = "Rows";

// The dims of a shape with more than one element.
std::vector<int> wide_dims(const Shape& shape);
// True if each result depends on a whole row or column of the operand: a reduction, a scan, or one column of each row,
// which threads that hold other columns get from those that have it.
bool takes_lines(const Apply& apply);
// True if the reduction runs along its operand's last dim alone, or takes one column of it.
bool reduces_rows(const Apply& reduction);
// True if the reduction runs along the columns of a matrix: the other dims of the operand have one element.
bool reduces_columns(const Apply& reduction);

// How threads share the rows of a block that are reduced.
RowsFrame rows_frame(const Shape& block, int64_t vector, bool parameters);
// How many threads share the rows: a power of two, with a few vectors for each.
int64_t threads_of_rows(const RowsFrame& rows);
// How many threads share a block of which only columns are reduced: a power of two.
int64_t threads_of_columns(const Shape& block, int64_t vector);
// The number of lanes of a row, by its name in the file if it has one.
Number named_lanes(const Draft& draft, int64_t lanes);
// Names the layout of the matrix, whose rows `threads` threads hold, in the file, and explains it.
void name_rows_layout(Draft& draft, const std::string& name, const RowsFrame& rows, const Number& threads);

}  // namespace pallasgen
