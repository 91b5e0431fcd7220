#include "model/example.h"

#include <algorithm>

namespace pallasgen {

namespace {

constexpr int64_t kExtent = 4096, kBatch = 16;

enum class Along : uint8_t { nothing, batch, extent };

// Visits the number of steps of each sequential axis and the end of each loop in the body; null for a `while` loop.
template <class Visit>
void for_each_walk(const Kernel& kernel, Visit&& visit) {
  for (const Axis& axis : kernel.axes) {
    if (axis.sequential) visit(axis.size);
  }
  for_each_statement(kernel.body, [&](const KernelStmt& stmt) {
    if (const auto* loop = std::get_if<ForStmt>(&stmt.node)) visit(loop->stop);
    if (std::holds_alternative<WhileStmt>(stmt.node)) visit(TypedPtr());
  });
}

// A dim is an extent if blocks have several elements along it, or if steps or loops walk along it; it is a batch if
// programs take its elements one by one.
Along along(const Kernel& kernel, int dim) {
  bool blocked = false, used = false;
  for_each_walk(kernel,
                [&](const TypedPtr& size) { blocked = blocked || (size && mentions(size, SymbolKind::dim, dim)); });
  for (const Ref& ref : kernel.refs) {
    for (size_t d = 0; d < ref.array_shape.size(); ++d) {
      if (!mentions(ref.array_shape[d], SymbolKind::dim, dim)) continue;
      used = true;
      blocked = blocked || d >= ref.block.size() || ref.block[d].size > 1;
    }
  }
  return !used ? Along::nothing : blocked ? Along::extent : Along::batch;
}

// True if a program walks along anything but constants.
bool walks(const Kernel& kernel) {
  bool found = false;
  for_each_walk(kernel, [&](const TypedPtr& size) { found = found || !size || !size->as<Constant>(); });
  return found;
}

// Returns the kind of each dim. If programs walk nowhere and no extent sizes the grid, each program has one short row:
// there are thousands of rows then, so the innermost dim of the grid counts as an extent.
std::vector<Along> kinds_of_dims(const Kernel& kernel) {
  std::vector<Along> kinds;
  for (size_t dim = 0; dim < kernel.dims.size(); ++dim) kinds.push_back(along(kernel, static_cast<int>(dim)));
  Along* rows = nullptr;
  for (const Axis& axis : kernel.axes) {
    for (size_t dim = 0; dim < kinds.size(); ++dim) {
      if (!mentions(axis.size, SymbolKind::dim, static_cast<int>(dim))) continue;
      if (kinds[dim] == Along::extent) return kinds;
      rows = &kinds[dim];
    }
  }
  if (rows && !walks(kernel)) *rows = Along::extent;
  return kinds;
}

std::vector<std::pair<std::string, int64_t>> example_dims(const Kernel& kernel) {
  const std::vector<Along> kinds = kinds_of_dims(kernel);
  std::vector<std::pair<std::string, int64_t>> dims;
  for (const Dim& dim : kernel.dims) {
    const Along what = kinds[static_cast<size_t>(&dim - kernel.dims.data())];
    const int64_t extent = what == Along::extent ? kExtent : what == Along::batch ? kBatch : 1;
    int64_t value = extent % dim.multiple_of == 0 ? extent : (extent / dim.multiple_of) * dim.multiple_of;
    if (value == 0) value = dim.multiple_of;
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
