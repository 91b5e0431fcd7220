#include "kernel/programs.h"

#include <fmt/format.h>

#include <algorithm>

namespace pallasgen {

namespace {

constexpr int64_t kMostOfAnAxis = 64;

// Halves the longest list until the grid has at most `most` points; the last value of each list stays.
void keep_some_points(GridSample& sample, int64_t most) {
  const auto points = [&] {
    int64_t product = 1;
    for (const auto& values : sample.values) product *= static_cast<int64_t>(values.size());
    return product;
  };
  while (points() > most) {
    auto& longest = *std::max_element(sample.values.begin(), sample.values.end(),
                                      [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (longest.size() <= 2) return;
    const int64_t last = longest.back();
    longest.resize(longest.size() / 2);
    longest.back() = std::max(longest.back(), last);
  }
}

std::vector<int64_t> first_values(int64_t count) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < std::min(count, kMostOfAnAxis); ++i) out.push_back(i);
  return out;
}

}  // namespace

std::optional<GridSample> sample_grid(const Kernel& kernel, int64_t most) {
  GridSample out;
  const SymbolFacts facts = kernel.facts();
  for (const Axis& axis : kernel.axes) {
    const Bounds size = bounds(axis.size, facts);
    const int64_t count = size.maximum ? std::min(*size.maximum, kMostOfAnAxis) : kMostOfAnAxis;
    if (count <= 0) return std::nullopt;
    out.values.push_back(first_values(count));
  }
  // Keeps the first values only, as errors show near the origin.
  for (size_t most_of_axis = kMostOfAnAxis; most_of_axis >= 2; most_of_axis /= 2) {
    int64_t points = 1;
    for (auto& values : out.values) {
      if (values.size() > most_of_axis) values.resize(most_of_axis);
      points *= static_cast<int64_t>(values.size());
    }
    if (points <= most) break;
  }
  return out;
}

std::optional<GridSample> certain_grid(const Kernel& kernel, int64_t most) {
  GridSample out;
  for (const Axis& axis : kernel.axes) {
    const std::optional<int64_t> size = value_at(kernel, axis.size, GridPoint(kernel.axes.size(), -1));
    if (size && *size <= 0) return std::nullopt;
    out.values.push_back(size ? first_values(*size) : std::vector<int64_t>{0});
    if (size && *size > kMostOfAnAxis) out.values.back().push_back(*size - 1);
  }
  keep_some_points(out, most);
  return out;
}

std::optional<int64_t> value_at(const Kernel& kernel, const TypedPtr& expr, const GridPoint& point,
                                const GivenValue& given) {
  return evaluate_index(expr, [&](const Symbol& symbol) -> std::optional<int64_t> {
    const auto id = static_cast<size_t>(symbol.id);
    switch (symbol.kind) {
      case SymbolKind::axis:
        return id >= point.size() || point[id] < 0 ? std::nullopt : std::optional(point[id]);
      case SymbolKind::axis_size:
        return value_at(kernel, kernel.axes[id].size, point, given);
      case SymbolKind::let:
        return value_at(kernel, kernel.lets[id].value, point, given);
      case SymbolKind::dim:
      case SymbolKind::scalar:
      case SymbolKind::num_sms:
        return given ? given(symbol) : std::nullopt;
      default:
        return std::nullopt;
    }
  });
}

std::optional<bool> exists(const Kernel& kernel, const GridPoint& point) {
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    const std::optional<int64_t> size = value_at(kernel, kernel.axes[axis].size, point);
    if (size && point[axis] >= *size) return false;
  }
  if (!kernel.skip) return true;
  const std::optional<int64_t> skipped = value_at(kernel, kernel.skip, point);
  return skipped ? std::optional<bool>(*skipped == 0) : std::nullopt;
}

std::optional<BlockRange> block_at(const Kernel& kernel, const Ref& ref, const GridPoint& point) {
  BlockRange out;
  for (const BlockDim& dim : ref.block) {
    const std::optional<int64_t> index = value_at(kernel, dim.index, point);
    if (!index || dim.size < 0) return std::nullopt;
    int64_t begin = *index, size = dim.size;
    if (dim.kind == BlockKind::blocked || dim.kind == BlockKind::whole) {
      if (__builtin_mul_overflow(*index, dim.size, &begin)) return std::nullopt;
    } else if (dim.kind == BlockKind::element) {
      begin -= dim.low;
    } else if (dim.kind == BlockKind::bounded_slice) {
      const std::optional<int64_t> used = value_at(kernel, dim.slice_size, point);
      if (!used) return std::nullopt;
      size = *used;
    }
    out.push_back({begin, begin + size});
  }
  return out;
}

bool overlap(const BlockRange& a, const BlockRange& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].end <= b[i].begin || b[i].end <= a[i].begin) return false;
  }
  return true;
}

bool same_program(const Kernel& kernel, const GridPoint& a, const GridPoint& b) {
  for (size_t axis = 0; axis < a.size(); ++axis) {
    if (!kernel.axes[axis].sequential && a[axis] != b[axis]) return false;
  }
  return true;
}

std::string program_text(const Kernel& kernel, const GridPoint& point) {
  std::string out;
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (!kernel.axes[axis].sequential) out += fmt::format("{}{}", out.empty() ? "" : ", ", point[axis]);
  }
  return out.empty() ? "the program" : fmt::format("program ({})", out);
}

std::string step_text(const Kernel& kernel, const GridPoint& point) {
  std::string out;
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (kernel.axes[axis].sequential)
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", kernel.axes[axis].name, point[axis]);
  }
  return fmt::format("step ({})", out);
}

std::string block_text(const Ref& ref, const BlockRange& range) {
  std::string out;
  for (size_t i = 0; i < range.size(); ++i) {
    if (i) out += ", ";
    out += ref.block[i].kind == BlockKind::squeezed ? fmt::format("{}", range[i].begin)
                                                    : fmt::format("{}:{}", range[i].begin, range[i].end);
  }
  return fmt::format("{}[{}]", ref.name, out);
}

bool depends_on_axis(const Kernel& kernel, const TypedPtr& expr, int axis) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    if (!symbol || found) return;
    if (symbol->kind == SymbolKind::axis) found = symbol->id == axis;
    if (symbol->kind == SymbolKind::let) found = depends_on_axis(kernel, kernel.lets[symbol->id].value, axis);
  });
  return found;
}

bool depends_on_axis(const Kernel& kernel, const Ref& ref, int axis) {
  return std::any_of(ref.block.begin(), ref.block.end(), [&](const BlockDim& dim) {
    return depends_on_axis(kernel, dim.index, axis) || depends_on_axis(kernel, dim.slice_size, axis);
  });
}

}  // namespace pallasgen
