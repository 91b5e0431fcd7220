#include "rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "blocks.h"
#include "layout/rows.h"

namespace pallasgen {

std::vector<int> wide_dims(const Shape& shape) {
  std::vector<int> wide;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1) wide.push_back(static_cast<int>(d));
  }
  return wide;
}

bool reduces_rows(const Apply& reduction) {
  const Shape& shape = reduction.args[0]->shape;
  const std::vector<int64_t>& axes = reduction.attributes.axes;
  std::vector<int> reduced;
  for (int dim : wide_dims(shape)) {
    if (axes.empty() || std::find(axes.begin(), axes.end(), dim) != axes.end()) reduced.push_back(dim);
  }
  return reduced.size() == 1 && reduced[0] + 1 == static_cast<int>(shape.size());
}

bool reduces_columns(const Apply& reduction) {
  const Shape& shape = reduction.args[0]->shape;
  const std::vector<int64_t>& axes = reduction.attributes.axes;
  const std::vector<int> wide = wide_dims(shape);
  const auto reduced = [&](int dim) { return std::find(axes.begin(), axes.end(), dim) != axes.end(); };
  return wide.size() == 2 && wide[1] + 1 == static_cast<int>(shape.size()) && reduced(wide[0]) && !reduced(wide[1]);
}

std::optional<RowsFrame> rows_of(const Kernel& kernel, int64_t vector) {
  const Shape* block = nullptr;
  int64_t most = 0;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const Apply* apply = node.as<Apply>();
      if (!apply || operation(apply->op).group != OpGroup::reduce || !reduces_rows(*apply)) return;
      const Shape& shape = apply->args[0]->shape;
      const int64_t elements = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
      if (elements > most && wide_dims(shape).size() <= 2) block = &shape, most = elements;
    });
  });
  if (!block) return std::nullopt;
  RowsFrame rows = rows_frame(*block, vector);
  // By name where a ref's block has the name.
  for (const Ref& ref : kernel.refs) {
    if (ref.shape != *block) continue;
    std::vector<Number> sizes;
    for (const BlockDim& dim : ref.block) {
      if (dim.kind != BlockKind::squeezed && dim.size != 1) sizes.push_back(number_of(dim));
    }
    if (sizes.empty() || sizes.size() != wide_dims(*block).size()) continue;
    rows.columns = sizes.back();
    if (sizes.size() == 2) rows.rows = sizes.front();
    break;
  }
  return rows;
}

RowsFrame rows_frame(const Shape& block, int64_t vector) {
  RowsFrame rows;
  rows.columns = number(block.back());
  rows.rows = number(std::accumulate(block.begin(), block.end() - 1, int64_t{1}, std::multiplies<>()));
  rows.vector = std::gcd(vector, rows.columns.value);
  rows.lanes = row_lanes(rows.rows.value, rows.columns.value, rows.vector);
  return rows;
}

int64_t threads_of_rows(const RowsFrame& rows) {
  const int64_t each = row_share(rows.columns.value, rows.vector, rows.lanes) / rows.vector;
  const int64_t rows_each = std::max<int64_t>(1, kVectorsInFlight / each);
  const int64_t groups = (rows.rows.value + rows_each - 1) / rows_each;
  const int64_t threads = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(groups * rows.lanes)));
  return std::clamp(threads, std::max(kWarp, rows.lanes), std::max(kMostThreads, rows.lanes));
}

void name_rows_layout(Draft& draft, const RowsFrame& rows, const Number& threads, const Number& part) {
  const Number lanes = draft.constant(constant_name::row_lanes, rows.lanes, constant_line::threads);
  draft.plan.layouts.push_back({kRowsName, fmt::format("RowsLayout<{}, {}, {}, {}, {}>", threads.text, lanes.text,
                                                       rows.vector, part.text, rows.columns.text)});
  const int64_t columns = rows.columns.value, each = row_share(columns, rows.vector, rows.lanes);
  const std::string whose = rows.lanes < kWarp    ? fmt::format("to {} of a warp", counted(rows.lanes, "lane"))
                            : rows.lanes == kWarp ? "to a warp"
                                                  : fmt::format("to {}", counted(rows.lanes / kWarp, "warp"));
  const std::string across = rows.lanes == 1       ? "nothing is exchanged"
                             : rows.lanes <= kWarp ? "reductions go through registers and shuffles"
                                                   : "reductions go through registers, shuffles and a tile";
  draft.decide(
      "rows", fmt::format("a row belongs {}", whose),
      fmt::format("its {} are {} of each thread; {}", counted(columns, "element"), counted(each, "value"), across));
}

}  // namespace pallasgen
