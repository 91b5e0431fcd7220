#include "plan/slices.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/grid_values.h"
#include "plan/rules.h"
#include "plan/words.h"

namespace pallasgen {

std::optional<int64_t> GridPlaces::value(const TypedPtr& expr, const std::vector<int64_t>& point) const {
  return value_at(*kernel_, expr, point, [&](const Symbol& symbol) -> std::optional<int64_t> {
    const auto id = static_cast<size_t>(symbol.id);
    if (symbol.kind == SymbolKind::num_sms) return sms_;
    if (symbol.kind == SymbolKind::dim) {
      const auto found = dims_.find(kernel_->dims[id].name);
      return found == dims_.end() ? std::nullopt : std::optional(found->second);
    }
    const auto found = scalars_.find(kernel_->scalars[id].name);
    const auto* whole = found == scalars_.end() ? nullptr : std::get_if<int64_t>(&found->second);
    return whole ? std::optional(*whole) : std::nullopt;
  });
}

std::optional<int64_t> GridPlaces::size(int axis, const std::vector<int64_t>& point) const {
  return value(kernel_->axes[static_cast<size_t>(axis)].size, point);
}

std::optional<std::vector<SliceDim>> GridPlaces::slice(const Ref& ref, const std::vector<int64_t>& point) const {
  std::vector<SliceDim> dims;
  for (size_t d = 0; d < ref.block.size(); ++d) {
    const BlockDim& dim = ref.block[d];
    const auto extent = value(ref.array_shape[d], point);
    const auto index = dim.index ? value(dim.index, point) : std::optional<int64_t>(0);
    const auto size = dim.kind == BlockKind::bounded_slice ? value(dim.slice_size, point)
                      : dim.kind == BlockKind::whole       ? extent
                                                           : std::optional<int64_t>(dim.size);
    if (!extent || !index || !size) return std::nullopt;
    const int64_t start = dim.kind == BlockKind::blocked   ? *index * *size
                          : dim.kind == BlockKind::element ? *index - dim.low
                                                           : *index;
    dims.push_back({start, *size, *extent, dim.kind == BlockKind::squeezed});
  }
  return dims;
}

namespace {

class Slices {
 public:
  Slices(const Kernel& kernel, const std::vector<int64_t>& program, const std::map<std::string, int64_t>& dims,
         Diagnostics& diagnostics)
      : kernel_(kernel), program_(program), grid_(kernel, dims), dims_(dims), diagnostics_(diagnostics) {}

  std::optional<std::string> run() {
    if (!check_dims() || !check_point()) return std::nullopt;
    std::vector<std::string> point, names;
    for (size_t i = 0; i < program_.size(); ++i) {
      point.push_back(std::to_string(program_[i]));
      names.push_back(kernel_.axes[i].name);
    }
    std::string text = names.empty() ? "the one program\n"
                                     : fmt::format("program ({}) = ({})\n", joined(names, ", "), joined(point, ", "));
    for (const Ref& ref : kernel_.refs) {
      if (ref.role == RefRole::scratch) continue;
      const auto line = slice(ref);
      if (!line) return std::nullopt;
      text += *line + "\n";
    }
    return text;
  }

 private:
  std::nullopt_t refuse(const std::string& message, const std::string& note) {
    diagnostics_.error(kPlanProgramPoint, kernel_.span, message).note(note);
    return std::nullopt;
  }

  bool check_dims() {
    std::vector<std::string> missing;
    for (const Dim& dim : kernel_.dims) {
      if (!dims_.count(dim.name)) missing.push_back(dim.name);
    }
    if (missing.empty()) return true;
    refuse(fmt::format("sizes are missing: {}", listed(missing)), fmt::format("`--dim {}=256` gives one", missing[0]));
    return false;
  }

  bool check_point() {
    if (program_.size() != kernel_.axes.size()) {
      std::vector<std::string> names;
      for (const Axis& axis : kernel_.axes) names.push_back(axis.name);
      refuse(fmt::format("the grid has {} axes, the point has {}", kernel_.axes.size(), program_.size()),
             names.empty() ? "this kernel has one program" : fmt::format("the axes are {}", joined(names, ", ")));
      return false;
    }
    for (size_t i = 0; i < program_.size(); ++i) {
      const auto size = grid_.size(static_cast<int>(i), program_);
      if (!size) {
        refuse(fmt::format("the size of '{}' depends on scalars or on num_sms", kernel_.axes[i].name),
               "only sizes over dims are known here");
        return false;
      }
      if (program_[i] >= 0 && program_[i] < *size) continue;
      refuse(fmt::format("'{}' is {}, outside the grid", kernel_.axes[i].name, program_[i]),
             *size == 0 ? "the grid is empty" : fmt::format("0 to {} are inside", *size - 1));
      return false;
    }
    return true;
  }

  // "x[20:30, 80:100]", with the parts that lie outside the array.
  std::optional<std::string> slice(const Ref& ref) {
    const auto dims = grid_.slice(ref, program_);
    if (!dims) {
      refuse(fmt::format("the place of '{}' depends on scalars", ref.name),
             "only index maps over axes and dims are known here");
      return std::nullopt;
    }
    std::vector<std::string> parts, notes;
    for (size_t d = 0; d < dims->size(); ++d) {
      const auto& [start, size, extent, squeezed] = (*dims)[d];
      if (squeezed) {
        parts.push_back(std::to_string(start));
        if (start < 0 || start >= extent) notes.push_back(fmt::format("dim {} lies outside its {}", d, extent));
        continue;
      }
      parts.push_back(fmt::format("{}:{}", start, start + size));
      const int64_t over = std::min(size, std::max<int64_t>(0, start + size - extent));
      const int64_t under = std::min(size, std::max<int64_t>(0, -start));
      if (over > 0) notes.push_back(fmt::format("{} of dim {} past its end at {}", over, d, extent));
      if (under > 0) notes.push_back(fmt::format("{} of dim {} before its start", under, d));
    }
    std::string text = fmt::format("  {}[{}]", ref.name, parts.empty() ? "..." : joined(parts, ", "));
    if (!notes.empty()) text += fmt::format("  ({})", joined(notes, "; "));
    return text;
  }

  const Kernel& kernel_;
  const std::vector<int64_t>& program_;
  const GridPlaces grid_;
  const std::map<std::string, int64_t>& dims_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<std::string> explain_program(const Kernel& kernel, const std::vector<int64_t>& program,
                                           const std::map<std::string, int64_t>& dims, Diagnostics& diagnostics) {
  return Slices(kernel, program, dims, diagnostics).run();
}

}  // namespace pallasgen
