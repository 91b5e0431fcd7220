#include "infer/across.h"

#include <algorithm>
#include <numeric>

#include "expression/index_map.h"
#include "layout/derive.h"
#include "layout/warps.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// Facts that rule out most layouts without the slow comparison of whole layouts: the first element of thread 1, and how
// many threads share the first row.
struct FirstThreads {
  std::optional<std::vector<int64_t>> second;
  int64_t lanes = 1;  // a power of two; 0 if a thread has no element

  FirstThreads(const ValueLayout& layout, int64_t all) : second(all > 1 ? element_of(layout, 1, 0) : std::nullopt) {
    while (lanes != 0 && lanes < all) {
      const auto at = element_of(layout, static_cast<int>(lanes), 0);
      if (at && (*at)[0] != 0) break;
      lanes = at ? lanes * 2 : 0;
    }
  }
};

bool lies_by_vectors(const ValueLayout& layout) {
  const int64_t all = threads(layout), rows = layout.shape[0], columns = layout.shape[1];
  const FirstThreads neighbours(layout, all);
  for (int64_t vector = 1; vector <= kMostVector && columns % vector == 0; vector *= 2) {
    const std::vector<int64_t> next{vector / columns, vector % columns};
    const bool behind = !neighbours.second || *neighbours.second == next;
    if (behind && layout == strided_layout(all, vector, layout.shape)) return true;
    for (int64_t lanes = 1; lanes <= all && all % lanes == 0; lanes *= 2) {
      // Lane 1 has the vector after that of lane 0; if the rows suffice for all groups of lanes, and the columns for
      // all lanes, the next group has the next row.
      if (lanes > 1 && vector < columns && !behind) continue;
      const bool whole = rows >= all / lanes && columns >= lanes * vector && neighbours.lanes != 0;
      if (whole && lanes != neighbours.lanes) continue;
      if (layout == rows_layout(all, lanes, vector, rows, columns)) return true;
    }
  }
  return false;
}

}  // namespace

bool lies_across(const ValueLayout& layout) {
  if (layout.shape.size() != 2 || layout.shape[0] == 1 || layout.shape[1] == 1) return false;
  // If thread 1 begins further on in the first row, it begins some rows below in the transpose: no vectors lie so,
  // unless one is as long as these rows.
  const auto second = threads(layout) > 1 ? element_of(layout, 1, 0) : std::nullopt;
  if (second && (*second)[0] == 0 && (*second)[1] > 1 && (*second)[1] * layout.shape[0] > kMostVector) return false;
  const auto transposed = transpose_layout(layout, {1, 0});
  return transposed && !lies_by_vectors(layout) && lies_by_vectors(*transposed);
}

bool takes_transpose(const TypedPtr& expr, const Shape& shape) {
  if (shape.size() != 2 || shape[0] == 1 || shape[1] == 1 || expr->shape != shape) return false;
  if (permuted_operand(*expr)) return true;
  const std::vector<TypedPtr>* operands = elementwise_operands(*expr);
  return operands && std::any_of(operands->begin(), operands->end(),
                                 [&](const TypedPtr& operand) { return takes_transpose(operand, shape); });
}

bool has_transposes(const tile::Role& role) {
  bool found = false;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    tile::for_each_expression(statement, [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) { found = found || permuted_operand(node); });
    });
  });
  return found;
}

ValueLayout transposed_rows_layout(int64_t threads, int64_t vector, int64_t element_bytes, const Shape& shape) {
  constexpr int64_t kLine = 128;
  const int64_t together = std::gcd(vector, shape[1]);
  const int64_t most = std::clamp<int64_t>(kLine / (together * element_bytes), 1, kWarp);
  int64_t lanes = 1;
  while (lanes < most && lanes * together < shape[1] && threads % (2 * lanes) == 0) lanes *= 2;
  return rows_layout(threads, lanes, together, shape[0], shape[1]);
}

}  // namespace pallasgen
