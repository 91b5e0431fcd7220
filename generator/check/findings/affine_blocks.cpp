// What affine index maps prove of the blocks of programs.
#include "findings/affine_blocks.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pallasgen {

namespace {

// True if the index depends on elements of an array of scalars, directly or through lets.
bool data_decide(const Kernel& kernel, const TypedPtr& index) {
  bool found = false;
  walk(index, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    found = found || node.applies(Op::element) || node.applies(Op::searchsorted) ||
            (symbol && symbol->kind == SymbolKind::let && data_decide(kernel, kernel.lets[symbol->id].value));
  });
  return found;
}

// Coefficients of the axes in each entry of the index map, with `without_data` except in entries that depend on data;
// none if an entry is not affine. Terms that do not depend on the grid point are equal for both programs.
std::optional<std::vector<std::vector<int64_t>>> axis_coefficients(const Kernel& kernel, const Ref& ref,
                                                                   bool without_data = false) {
  std::vector<std::vector<int64_t>> rows;
  for (const BlockDim& dim : ref.block) {
    if (without_data && data_decide(kernel, dim.index)) continue;
    const std::optional<Affine> form = affine(dim.index);
    if (!form || dim.kind == BlockKind::element || dim.kind == BlockKind::bounded_slice) return std::nullopt;
    std::vector<int64_t> row(kernel.axes.size());
    for (const Affine::Term& term : form->terms) {
      if (term.symbol.kind == SymbolKind::let) return std::nullopt;
      // The number of steps may differ between programs.
      if (term.symbol.kind == SymbolKind::axis_size && kernel.axes[term.symbol.id].sequential) return std::nullopt;
      if (term.symbol.kind == SymbolKind::axis) row[term.symbol.id] = term.coefficient;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Integer vectors with coprime entries that all rows map to 0, one per free column.
std::vector<std::vector<int64_t>> null_space(std::vector<std::vector<int64_t>> rows, size_t columns) {
  std::vector<int> pivot_of(columns, -1);
  size_t rank = 0;
  for (size_t column = 0; column < columns && rank < rows.size(); ++column) {
    size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][column] == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[rank], rows[pivot]);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i == rank || rows[i][column] == 0) continue;
      const int64_t a = rows[rank][column], b = rows[i][column];
      int64_t divisor = 0;
      for (size_t j = 0; j < columns; ++j) {
        int64_t x = 0, y = 0;
        if (__builtin_mul_overflow(rows[i][j], a, &x) || __builtin_mul_overflow(rows[rank][j], b, &y) ||
            __builtin_sub_overflow(x, y, &rows[i][j]))
          return {};
        divisor = std::gcd(divisor, rows[i][j]);
      }
      if (divisor > 1) {
        for (int64_t& entry : rows[i]) entry /= divisor;
      }
    }
    pivot_of[column] = static_cast<int>(rank++);
  }
  std::vector<std::vector<int64_t>> out;
  for (size_t free = 0; free < columns; ++free) {
    if (pivot_of[free] >= 0) continue;
    int64_t common = 1;
    for (size_t column = 0; column < columns; ++column) {
      if (pivot_of[column] < 0) continue;
      const int64_t pivot = rows[pivot_of[column]][column];
      if (rows[pivot_of[column]][free] != 0) common = std::lcm(common, pivot);
    }
    std::vector<int64_t> vector(columns);
    vector[free] = common;
    int64_t divisor = common;
    for (size_t column = 0; column < columns; ++column) {
      if (pivot_of[column] < 0) continue;
      const std::vector<int64_t>& row = rows[pivot_of[column]];
      vector[column] = -row[free] * (common / row[column]);
      if (row[free] == 0) vector[column] = 0;
      divisor = std::gcd(divisor, vector[column]);
    }
    for (int64_t& entry : vector) entry /= divisor;
    out.push_back(std::move(vector));
  }
  return out;
}

}  // namespace

std::optional<std::pair<GridPoint, GridPoint>> affine_race(const Kernel& kernel, const Ref& ref, bool without_data) {
  const std::optional<std::vector<std::vector<int64_t>>> rows = axis_coefficients(kernel, ref, without_data);
  if (!rows || kernel.skip) return std::nullopt;
  const SymbolFacts facts = kernel.facts();
  for (const std::vector<int64_t>& difference : null_space(*rows, kernel.axes.size())) {
    GridPoint a(difference.size()), b(difference.size());
    bool inside = true, parallel = false;
    for (size_t axis = 0; axis < difference.size(); ++axis) {
      a[axis] = std::max<int64_t>(0, -difference[axis]);
      b[axis] = std::max<int64_t>(0, difference[axis]);
      const Bounds size = bounds(kernel.axes[axis].size, facts);
      inside = inside && (!size.maximum || std::max(a[axis], b[axis]) < *size.maximum);
      parallel = parallel || (!kernel.axes[axis].sequential && difference[axis] != 0);
    }
    if (inside && parallel) return std::pair{a, b};
  }
  return std::nullopt;
}

bool has_own_blocks(const Kernel& kernel, const Ref& ref) {
  if (ref.alias_of) return false;
  const std::optional<std::vector<std::vector<int64_t>>> rows = axis_coefficients(kernel, ref);
  if (!rows) return false;
  std::vector<bool> moves(kernel.axes.size());
  for (const std::vector<int64_t>& row : *rows) {
    if (std::count_if(row.begin(), row.end(), [](int64_t entry) { return entry != 0; }) > 1) return false;
    for (size_t axis = 0; axis < row.size(); ++axis) moves[axis] = moves[axis] || row[axis] != 0;
  }
  const auto innermost = std::find(moves.rbegin(), moves.rend(), true).base() - moves.begin();
  for (size_t axis = 0; axis < moves.size(); ++axis) {
    const bool stays = kernel.axes[axis].sequential && static_cast<std::ptrdiff_t>(axis) >= innermost;
    if (!moves[axis] && !stays) return false;
  }
  return true;
}

}  // namespace pallasgen
