#include "lines.h"

#include <algorithm>
#include <numeric>

#include "layout/derive.h"
#include "layout/rows.h"
#include "layout/warps.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

int64_t rows_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end() - 1, int64_t{1}, std::multiplies<>());
}

bool is_along(Lines lines, const Apply& reduction) {
  const Shape& shape = reduction.args[0]->shape;
  const std::vector<int64_t>& axes = reduction.attributes.axes;
  const auto last = static_cast<int64_t>(shape.size()) - 1;
  if (last < 0 || shape.back() == 1) return false;
  if (lines == Lines::rows) {
    // Dims of one element may be reduced, too.
    const auto reduced = [&](int64_t dim) {
      return axes.empty() || std::find(axes.begin(), axes.end(), dim) != axes.end();
    };
    for (int64_t dim = 0; dim < last; ++dim) {
      if (reduced(dim) && shape[static_cast<size_t>(dim)] != 1) return false;
    }
    return reduced(last);
  }
  if (last == 0 || is_scan(reduction.op) || axes != std::vector<int64_t>{last - 1}) return false;
  const int64_t rows = shape[static_cast<size_t>(last) - 1];
  return rows > 1 && rows == rows_of(shape);
}

}  // namespace

void for_each_reduced(const tile::Statement& statement, Lines lines,
                      const std::function<void(tile::ValueId, const Apply&)>& visit) {
  const auto* assign = statement.as<tile::Assign>();
  if (!assign || !assign->expr) return;
  walk(assign->expr, [&](const Typed& node) {
    const Apply* reduction = node.as<Apply>();
    if (!reduction || operation(reduction->op).group != OpGroup::reduce || !is_along(lines, *reduction)) return;
    const Shape& shape = reduction->args[0]->shape;
    walk(reduction->args[0], [&](const Typed& operand) {
      const auto* use = operand.as<LocalUse>();
      if (use && operand.shape == shape) visit({use->id}, *reduction);
    });
  });
}

int64_t vector_of_lines(const tile::Program& program, const MovedBlocks& moved, tile::ValueId id) {
  constexpr int64_t kVectorBits = 128;  // of one access
  const tile::Value& value = program.value(id);
  const int64_t widest = moved.widest_by_any_path(value.shape);
  const int64_t whole = std::max<int64_t>(1, kVectorBits / std::max(8, info(value.dtype).bits));
  return std::gcd(widest > 0 ? widest : whole, value.shape.back());
}

namespace {

// The lanes of a row when `threads` threads hold the block. A row of several warps gets more lanes than its registers
// need if threads would have no row otherwise, but not more than the longest row wants, whatever `threads` is.
int64_t lanes_of_row(int64_t threads, int64_t rows, int64_t columns, int64_t vector, bool parameters, int64_t longest) {
  // Rows that want more lanes than a CTA has get them if a cluster shares them.
  int64_t lanes = std::min(row_lanes(rows, columns, vector, parameters), std::max(threads, kMostLanesOfCta));
  const int64_t most = std::min(threads, longest) / rows;
  while (lanes > kWarp && 2 * lanes <= most && row_share(columns, vector, lanes) > vector) lanes *= 2;
  return lanes;
}

}  // namespace

int64_t lanes_by_shape(const tile::Program& program, const MovedBlocks& moved, tile::ValueId value) {
  const Shape& shape = program.value(value).shape;
  return row_lanes(rows_of(shape), shape.back(), vector_of_lines(program, moved, value), moved.has_parameters(shape));
}

std::optional<ValueLayout> layout_of_lines(Lines lines, int64_t threads, const Shape& shape, int64_t vector,
                                           bool parameters, int64_t longest) {
  const int64_t rows = rows_of(shape), columns = shape.back();
  const int64_t lanes = lines == Lines::rows ? lanes_of_row(threads, rows, columns, vector, parameters, longest)
                                             : column_lanes(threads, columns, vector);
  if (threads % lanes != 0) return std::nullopt;
  const ValueLayout matrix = rows_layout(threads, lanes, vector, rows, columns);
  return matrix.shape == shape ? std::optional(matrix) : reshape_layout(matrix, shape);
}

}  // namespace pallasgen
