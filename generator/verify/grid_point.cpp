#include "grid_point.h"

#include <fmt/format.h>

#include <optional>

namespace pallasgen {

namespace {

constexpr int64_t kMostPoints = 1 << 20;

class GridWalk {
 public:
  GridWalk(const Kernel& kernel, const Ref& ref, const std::vector<int64_t>& element, const Arguments& arguments)
      : kernel_(kernel), ref_(ref), element_(element), arguments_(arguments), point_(kernel.axes.size()) {}

  // Searches the axes from `axis` on; true if the point is found.
  bool find(size_t axis) {
    if (axis == kernel_.axes.size()) return ++tried_ <= kMostPoints && block_holds_element();
    const std::optional<int64_t> size = value(kernel_.axes[axis].size);
    for (point_[axis] = 0; size && point_[axis] < *size && tried_ <= kMostPoints; ++point_[axis])
      if (find(axis + 1)) return true;
    return false;
  }

  std::string text() const {
    std::string text;
    for (size_t axis = 0; axis < point_.size(); ++axis)
      if (!kernel_.axes[axis].sequential)
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", kernel_.axes[axis].name, point_[axis]);
    return text;
  }

 private:
  std::optional<int64_t> value(const TypedPtr& expr) const {
    return evaluate_index(expr, [this](const Symbol& symbol) -> std::optional<int64_t> {
      const size_t id = static_cast<size_t>(symbol.id);
      switch (symbol.kind) {
        case SymbolKind::axis:
          return point_[id];
        case SymbolKind::axis_size:
          return value(kernel_.axes[id].size);
        case SymbolKind::let:
          return value(kernel_.lets[id].value);
        case SymbolKind::num_sms:
          return arguments_.num_sms;
        case SymbolKind::dim: {
          const auto found = arguments_.dims.find(kernel_.dims[id].name);
          return found == arguments_.dims.end() ? std::nullopt : std::optional(found->second);
        }
        default:
          return std::nullopt;
      }
    });
  }

  bool block_holds_element() const {
    for (size_t d = 0; d < ref_.block.size() && d < element_.size(); ++d) {
      const BlockDim& dim = ref_.block[d];
      if (dim.kind == BlockKind::whole) continue;
      const std::optional<int64_t> index = value(dim.index);
      const std::optional<int64_t> size =
          dim.kind == BlockKind::bounded_slice ? value(dim.slice_size) : std::optional(dim.size);
      if (!index || !size) return false;
      const int64_t begin = dim.kind == BlockKind::blocked   ? *index * *size
                            : dim.kind == BlockKind::element ? *index - dim.low
                                                             : *index;
      if (element_[d] < begin || element_[d] >= begin + *size) return false;
    }
    return true;
  }

  const Kernel& kernel_;
  const Ref& ref_;
  const std::vector<int64_t>& element_;
  const Arguments& arguments_;
  std::vector<int64_t> point_;
  int64_t tried_ = 0;
};

}  // namespace

std::string grid_point_of(const Kernel& kernel, const Ref& ref, const std::vector<int64_t>& element,
                          const Arguments& arguments) {
  GridWalk walk(kernel, ref, element, arguments);
  return walk.find(0) ? walk.text() : "";
}

}  // namespace pallasgen
