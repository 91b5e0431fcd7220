#include "example.h"

#include <algorithm>

namespace pallasgen {

namespace {

constexpr int64_t kExtent = 4096, kBatch = 16;

// Whether blocks have more than one element along it: else programs take its indices one by one, as those of a batch.
bool is_blocked(const Kernel& kernel, int dim) {
  bool blocked = false, used = false;
  for (const Ref& ref : kernel.refs) {
    for (size_t d = 0; d < ref.array_shape.size(); ++d) {
      if (!mentions(ref.array_shape[d], SymbolKind::dim, dim)) continue;
      used = true;
      blocked = blocked || d >= ref.block.size() || ref.block[d].size > 1;
    }
  }
  return blocked || !used;
}

std::vector<std::pair<std::string, int64_t>> example_dims(const Kernel& kernel) {
  std::vector<std::pair<std::string, int64_t>> dims;
  for (const Dim& dim : kernel.dims) {
    const int64_t extent = is_blocked(kernel, static_cast<int>(&dim - kernel.dims.data())) ? kExtent : kBatch;
    int64_t value = (extent + dim.multiple_of - 1) / dim.multiple_of * dim.multiple_of;
    if (dim.max) value = std::min(value, *dim.max / dim.multiple_of * dim.multiple_of);
    dims.emplace_back(dim.name, std::max(value, dim.min));
  }
  return dims;
}

}  // namespace

const Device& device_of(const Target& target) {
  const Device* device = find_device(target.device);
  static const Device kNone{"unknown", 1, 1e9, 1e12, 1e12, 1e12, 64, 1e-6};
  return device ? *device : kNone;
}

Example::Example(const Kernel& kernel, const Target& target)
    : kernel_(kernel), device_(device_of(target)), dims_(example_dims(kernel)) {}

std::optional<int64_t> Example::value(const TypedPtr& expr, const Values& values) const {
  return evaluate_index(expr, [&](const Symbol& symbol) -> std::optional<int64_t> {
    if (values) {
      if (const std::optional<int64_t> known = values(symbol)) return known;
    }
    const auto id = static_cast<size_t>(symbol.id);
    switch (symbol.kind) {
      case SymbolKind::dim:
        return dims_[id].second;
      case SymbolKind::axis:
        return kernel_.axes[id].sequential ? 0 : size(symbol.id, values) / 2;
      case SymbolKind::axis_size:
        return size(symbol.id, values);
      case SymbolKind::let:
        return value(kernel_.lets[id].value, values);
      case SymbolKind::num_sms:
        return device_.sms;
      default:
        return std::nullopt;
    }
  });
}

int64_t Example::size(int axis, const Values& values) const {
  return value(kernel_.axes[static_cast<size_t>(axis)].size, values).value_or(1);
}

}  // namespace pallasgen
