#include "misuse.h"

#include <fmt/format.h>

#include <algorithm>

#include "job.h"

namespace pallasgen {

namespace {

constexpr int64_t kBeyondInt32 = int64_t{1} << 31;
constexpr int64_t kMostTiles = kBeyondInt32 - 1;  // of a launch

void break_dim(const Dim& dim, int64_t value, std::vector<Misuse>& misuses) {
  const auto add = [&](int64_t broken) {
    misuses.push_back({fmt::format("{}={}", dim.name, broken), {{dim.name, broken}}, ""});
  };
  add(-dim.multiple_of);
  if (dim.multiple_of > 1) add(value + 1);
  if (dim.min > 0) add(0);
  if (dim.max) add((*dim.max / dim.multiple_of + 1) * dim.multiple_of);
  add((kBeyondInt32 + dim.multiple_of - 1) / dim.multiple_of * dim.multiple_of);
}

void break_pointer(const std::string& name, const std::string& place, bool has_alignment,
                   std::vector<Misuse>& misuses) {
  misuses.push_back({name + " is null", {}, fmt::format("break {} null", place)});
  if (has_alignment) misuses.push_back({name + " is misaligned", {}, fmt::format("break {} shift", place)});
}

// Whether the launcher does anything with the pointer: an input that no statement needs may be anything.
bool is_used(const Plan& plan, ParameterKind kind, int index) {
  const auto hands_on = [&](const Parameter& argument) {
    return (argument.kind == kind && argument.index == index) ||
           (argument.kind == ParameterKind::map && kind == ParameterKind::ref &&
            plan.maps[static_cast<size_t>(argument.index)].ref == index);
  };
  const auto fills = [&](const FillPlan& fill) { return kind == ParameterKind::ref && fill.ref == index; };
  return std::any_of(plan.launch.arguments.begin(), plan.launch.arguments.end(), hands_on) ||
         std::any_of(plan.launch.fills.begin(), plan.launch.fills.end(), fills);
}

// A dim so large that the kernel would have more tiles than a launch. Not where the launcher makes tensor maps or fills
// arrays before: the emulator would find that the arrays are smaller. Nor where an output has strides: with that dim,
// its elements may overlap.
void exceed_tiles(const Plan& plan, const Dim& dim, std::map<std::string, int64_t> dims, std::vector<Misuse>& misuses) {
  int64_t most = std::min(dim.max.value_or(kMostTiles), kMostTiles);
  const auto of_blocks = plan.launch.most.find(static_cast<int>(&dim - plan.kernel->dims.data()));
  if (of_blocks != plan.launch.most.end()) most = std::min(most, of_blocks->second);
  const int64_t value = most / dim.multiple_of * dim.multiple_of;
  dims[dim.name] = value;
  for (const Ref& ref : plan.kernel->refs) {
    if (ref.role == RefRole::output && !ref.strides.empty()) return;
  }
  if (!plan.maps.empty() || !plan.launch.fills.empty() || programs_of(*plan.kernel, dims) <= kMostTiles) return;
  const std::vector<int64_t> sizes = parallel_sizes(*plan.kernel, dims);
  const bool is_fact =
      *std::max_element(sizes.begin(), sizes.end()) > kMostTiles;  // that the launcher checks by itself
  misuses.push_back({fmt::format("{}={}, too many tiles", dim.name, value),
                     {{dim.name, value}},
                     "",
                     is_fact ? kInvalidValue : kInvalidConfiguration});
}

using Values = std::function<std::optional<int64_t>(const Symbol&)>;

Values values_of(const Kernel& kernel, const Arguments& arguments) {
  return [&](const Symbol& symbol) -> std::optional<int64_t> {
    if (symbol.kind != SymbolKind::dim) return std::nullopt;
    return arguments.dims.at(kernel.dims[static_cast<size_t>(symbol.id)].name);
  };
}

// Strides of 0, by which elements of an output overlap that the launcher has to keep apart.
void overlap_elements(const Plan& plan, const Arguments& arguments, std::vector<Misuse>& misuses) {
  const Kernel& kernel = *plan.kernel;
  for (const Requirement& requirement : plan.launch.requirements) {
    if (requirement.kind != RequirementKind::distinct) continue;
    const Ref& ref = kernel.refs[static_cast<size_t>(requirement.ref)];
    for (size_t d = 0; d < ref.strides.size(); ++d) {
      const Symbol* symbol = ref.strides[d]->as<Symbol>();
      if (!symbol || symbol->kind != SymbolKind::dim || kernel.dims[static_cast<size_t>(symbol->id)].min > 0) continue;
      if (evaluate_index(ref.array_shape[d], values_of(kernel, arguments)).value_or(0) < 2) continue;
      misuses.push_back({fmt::format("{}=0, elements of {} overlap", symbol->name, ref.name), {{symbol->name, 0}}, ""});
    }
  }
}

// Dims of which each is small enough and their product is 0 in 64 bits.
void exceed_products(const Plan& plan, std::vector<Misuse>& misuses) {
  for (const Requirement& requirement : plan.launch.requirements) {
    if (requirement.kind != RequirementKind::product_fits) continue;
    Misuse misuse{
        fmt::format("{} is too large", requirement.message.substr(0, requirement.message.find(" must"))), {}, ""};
    double product = 1;
    for (const TypedPtr& factor : requirement.values) {
      const Symbol* symbol = factor->as<Symbol>();
      if (!symbol || symbol->kind != SymbolKind::dim) continue;
      const Dim& dim = plan.kernel->dims[static_cast<size_t>(symbol->id)];
      const int64_t large = std::min(dim.max.value_or(int64_t{1} << 22), int64_t{1} << 22);
      misuse.dims[dim.name] = large / dim.multiple_of * dim.multiple_of;
      product *= static_cast<double>(misuse.dims[dim.name]);
    }
    if (product >= 0x1p53) misuses.push_back(std::move(misuse));
  }
}

// Whether the array has no element in such a call: then its pointer may be null.
bool is_empty(const std::vector<TypedPtr>& shape, const Kernel& kernel, const Arguments& arguments) {
  return std::any_of(shape.begin(), shape.end(),
                     [&](const TypedPtr& extent) { return evaluate_index(extent, values_of(kernel, arguments)) == 0; });
}

}  // namespace

std::vector<Misuse> misuses_of(const Plan& plan, const Arguments& arguments) {
  const Kernel& kernel = *plan.kernel;
  const bool no_elements =
      std::any_of(arguments.dims.begin(), arguments.dims.end(), [](const auto& dim) { return dim.second <= 0; });
  if (no_elements) return {};
  std::vector<Misuse> misuses;
  int array = 0;
  for (const Parameter& parameter : plan.launch.parameters) {
    const size_t index = static_cast<size_t>(std::max(parameter.index, 0));
    switch (parameter.kind) {
      case ParameterKind::dim:
        break_dim(kernel.dims[index], arguments.dims.at(kernel.dims[index].name), misuses);
        exceed_tiles(plan, kernel.dims[index], arguments.dims, misuses);
        break;
      case ParameterKind::ref:
      case ParameterKind::scalar: {
        const bool is_ref = parameter.kind == ParameterKind::ref;
        if (!is_ref && !kernel.scalars[index].shape) break;
        const std::string place = std::to_string(array++);
        const DType dtype = is_ref ? kernel.refs[index].dtype : kernel.scalars[index].dtype;
        const std::vector<TypedPtr>& shape = is_ref ? kernel.refs[index].array_shape : *kernel.scalars[index].shape;
        if (is_used(plan, parameter.kind, parameter.index) && !is_empty(shape, kernel, arguments))
          break_pointer(is_ref ? kernel.refs[index].name : kernel.scalars[index].name, place, info(dtype).bits > 8,
                        misuses);
        break;
      }
      case ParameterKind::workspace:
        break_pointer("the workspace", "workspace", true, misuses);
        misuses.push_back({"the workspace is small", {}, "break workspace less"});
        break;
      default:
        break;
    }
  }
  overlap_elements(plan, arguments, misuses);
  exceed_products(plan, misuses);
  return misuses;
}

}  // namespace pallasgen
