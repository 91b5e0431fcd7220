#include "questions/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "layout/rows.h"
#include "plan/words.h"
#include "program/constant_names.h"
#include "questions/blocks.h"
#include "questions/clusters.h"

namespace pallasgen {

std::vector<int> wide_dims(const Shape& shape) {
  std::vector<int> wide;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1) wide.push_back(static_cast<int>(d));
  }
  return wide;
}

bool takes_lines(const Apply& apply) {
  return operation(apply.op).group == OpGroup::reduce || picked_column(apply).has_value();
}

bool reduces_rows(const Apply& reduction) {
  if (picked_column(reduction)) return true;
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

RowsFrame rows_frame(const Shape& block, int64_t vector, bool parameters) {
  RowsFrame rows;
  rows.columns = number(block.back());
  rows.rows = number(std::accumulate(block.begin(), block.end() - 1, int64_t{1}, std::multiplies<>()));
  rows.vector = std::gcd(vector, rows.columns.value);
  rows.lanes = row_lanes(rows.rows.value, rows.columns.value, rows.vector, parameters);
  return rows;
}

int64_t threads_of_rows(const RowsFrame& rows) {
  const int64_t each = row_share(rows.columns.value, rows.vector, rows.lanes) / rows.vector;
  const int64_t rows_each = std::max<int64_t>(1, kVectorsInFlight / each);
  const int64_t groups = (rows.rows.value + rows_each - 1) / rows_each;
  const int64_t threads = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(groups * rows.lanes)));
  return std::clamp(threads, std::max(kWarp, rows.lanes), std::max(kMostThreads, rows.lanes));
}

int64_t threads_of_columns(const Shape& block, int64_t vector) {
  const auto elements = std::accumulate(block.begin(), block.end(), int64_t{1}, std::multiplies<>());
  const int64_t threads = threads_of_vectors(elements / std::gcd(vector, block.back()));
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(threads)));
}

Number named_lanes(const Draft& draft, int64_t lanes) {
  const auto& constants = draft.plan.constants;
  const bool known = std::any_of(constants.begin(), constants.end(), [&](const PlanConstant& constant) {
    return constant.name == constant_name::row_lanes && constant.value == lanes;
  });
  return known ? number(lanes, constant_name::row_lanes) : number(lanes);
}

namespace {

// `threads`: the threads of all CTAs that share rows.
std::string rows_comment(const RowsFrame& rows, int64_t threads) {
  if (rows.lanes < threads)
    return "A row belongs to kRowLanes neighbouring threads; the groups of threads take rows in turn.";
  const std::string whose = fmt::format("all {} threads", constant_name::row_lanes);
  return rows.rows.value == 1 ? fmt::format("The row belongs to {}.", whose)
                              : fmt::format("Each row belongs to {}.", whose);
}

}  // namespace

void name_rows_layout(Draft& draft, const std::string& name, const RowsFrame& rows, const Number& threads) {
  const auto& constants = draft.plan.constants;
  const bool first = std::none_of(constants.begin(), constants.end(), [](const PlanConstant& constant) {
    return constant.name == constant_name::row_lanes;
  });
  const Number lanes = first ? draft.constant(constant_name::row_lanes, rows.lanes, constant_line::threads)
                             : named_lanes(draft, rows.lanes);
  draft.plan.layouts.push_back(
      {name,
       layout_over_cluster(draft.plan, fmt::format("RowsLayout<{}, {}, {}, {}, {}>", threads.text, lanes.text,
                                                   rows.vector, rows.rows.text, rows.columns.text)),
       first ? rows_comment(rows, threads.value) : ""});
  const int64_t columns = rows.columns.value, each = row_share(columns, rows.vector, rows.lanes);
  const std::string whose = rows.lanes < kWarp    ? fmt::format("to {} of a warp", counted(rows.lanes, "lane"))
                            : rows.lanes == kWarp ? "to a warp"
                                                  : fmt::format("to {}", counted(rows.lanes / kWarp, "warp"));
  draft.decide("rows", fmt::format("a row belongs {}", whose),
               fmt::format("its {} are {} of each thread{}", counted(columns, "element"), counted(each, "value"),
                           rows.lanes == 1 ? "; nothing is exchanged" : ""));
}

}  // namespace pallasgen
