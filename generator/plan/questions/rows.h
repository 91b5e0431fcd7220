#pragma once

#include "infer/edges.h"
#include "program/draft.h"

namespace pallasgen {

// The blocks of a body whose rows are reduced: a matrix (leading dims of one element are nothing), its rows the lines
// along the last dim. A row belongs to `lanes` threads, whatever the schedule, so that sums have the same bits in every
// one.
struct RowsFrame {
  Number rows, columns;
  int64_t lanes = 32;
  int64_t vector = 1;  // elements that a lane holds in a row
};

// The name that the file gives to the layout of the matrix.
inline constexpr const char* kRowsName = "Rows";

// The dims of a shape with more than one element.
std::vector<int> wide_dims(const Shape& shape);
// Whether each result is of a whole row or column of the operand: a reduction, a scan, and one column of each row,
// which threads that hold other columns get from those that have it.
bool takes_lines(const Apply& apply);
// Whether the values of the reduction run along its operand's last dim and nothing else, or are of one column of it.
bool reduces_rows(const Apply& reduction);
// Whether they run along the columns of a matrix: along the one dim before its last, beside dims of one element.
bool reduces_columns(const Apply& reduction);

// How rows of a block are shared out where they are reduced; the block has two dims of more than one element at most.
RowsFrame rows_frame(const Shape& block, int64_t vector, bool parameters);
// How many threads share rows: a power of two, a few vectors for each.
int64_t threads_of_rows(const RowsFrame& rows);
// How many threads share a block whose columns alone are reduced: a power of two.
int64_t threads_of_columns(const Shape& block, int64_t vector);
// So many lanes of a row, by the name that the file has for them, if it has one.
Number named_lanes(const Draft& draft, int64_t lanes);
// Names the layout of the matrix in the file, of which `threads` hold the rows, and tells why.
void name_rows_layout(Draft& draft, const std::string& name, const RowsFrame& rows, const Number& threads);

}  // namespace pallasgen
