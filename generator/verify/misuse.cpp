#include "misuse.h"

#include <fmt/format.h>

#include <algorithm>

#include "job.h"

namespace pallasgen {

namespace {

constexpr int64_t kBeyondInt32 = int64_t{1} << 31;
constexpr int64_t kMostTiles = kBeyondInt32 - 1;  // per launch
constexpr int64_t kWorkspaceAlignment = 256;
constexpr int64_t kManyTiles = int64_t{1} << 16;  // along an axis: the product of two is 0 in 32 bits

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

// `alignment`: the alignment that the launcher requires of the pointer. A shift by one byte breaks the alignment of
// elements; half the required alignment keeps it.
void break_pointer(const std::string& name, const std::string& place, int64_t alignment, std::vector<Misuse>& misuses) {
  misuses.push_back({name + " is null", {}, fmt::format("break {} null", place)});
  if (alignment > 1) misuses.push_back({name + " is misaligned", {}, fmt::format("break {} shift 1", place)});
  if (alignment > 2)
    misuses.push_back({fmt::format("{} is {} bytes too far", name, alignment / 2),
                       {},
                       fmt::format("break {} shift {}", place, alignment / 2)});
}

// The alignment that the plan needs for the array: that of its vectors, or 16 bytes for tensor copies.
int64_t alignment_of(const Plan& plan, ParameterKind kind, int index) {
  constexpr int64_t kTensorCopies = 16;
  const bool is_ref = kind == ParameterKind::ref;
  const DType dtype = is_ref ? plan.kernel->refs[static_cast<size_t>(index)].dtype
                             : plan.kernel->scalars[static_cast<size_t>(index)].dtype;
  int64_t alignment = std::max(1, info(dtype).bits / 8);
  for (const TensorMapPlan& map : plan.maps)
    if (is_ref && map.ref == index) alignment = std::max(alignment, kTensorCopies);
  for (const Requirement& requirement : plan.launch.requirements)
    if (requirement.kind == RequirementKind::aligned && (is_ref ? requirement.ref : requirement.scalar) == index)
      alignment = std::max(alignment, requirement.bytes.value);
  return alignment;
}

// True if the launcher uses the pointer; an input that no statement needs may be anything.
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

// True if a dim may be made so large that there are more tiles than a launch can have. False if the launcher first
// makes tensor maps or fills arrays, as the emulator would notice that the arrays are smaller, and if an output has
// strides, as its elements may overlap with that dim.
bool may_exceed_tiles(const Plan& plan) {
  const auto has_strides = [](const Ref& ref) { return ref.role == RefRole::output && !ref.strides.empty(); };
  const std::vector<Ref>& refs = plan.kernel->refs;
  return plan.maps.empty() && plan.launch.fills.empty() && std::none_of(refs.begin(), refs.end(), has_strides);
}

void exceed_tiles(const Plan& plan, const Dim& dim, std::map<std::string, int64_t> dims, std::vector<Misuse>& misuses) {
  int64_t most = std::min(dim.max.value_or(kMostTiles), kMostTiles);
  const auto of_blocks = plan.launch.most.find(static_cast<int>(&dim - plan.kernel->dims.data()));
  if (of_blocks != plan.launch.most.end()) most = std::min(most, of_blocks->second);
  const int64_t value = most / dim.multiple_of * dim.multiple_of;
  dims[dim.name] = value;
  if (!may_exceed_tiles(plan) || programs_of(*plan.kernel, dims) <= kMostTiles) return;
  const std::vector<int64_t> sizes = parallel_sizes(*plan.kernel, dims);
  const bool is_fact =
      *std::max_element(sizes.begin(), sizes.end()) > kMostTiles;  // a fact that the launcher checks itself
  misuses.push_back({fmt::format("{}={}, too many tiles", dim.name, value),
                     {{dim.name, value}},
                     "",
                     is_fact ? kInvalidValue : kInvalidConfiguration});
}

// The least valid value of the dim with which an axis has 2^16 tiles; nothing if there is none.
std::optional<int64_t> for_many_tiles(const Kernel& kernel, const Dim& dim, std::map<std::string, int64_t> dims) {
  for (int64_t block = 1; block <= 1024; block *= 2) {
    const int64_t value = kManyTiles * block;
    if (value % dim.multiple_of != 0 || value < dim.min || value > dim.max.value_or(value)) continue;
    dims[dim.name] = value;
    const std::vector<int64_t> sizes = parallel_sizes(kernel, dims);
    if (std::count(sizes.begin(), sizes.end(), kManyTiles) > 0) return value;
  }
  return std::nullopt;
}

// Adds pairs of dims that make few tiles each and together a multiple of 2^32.
void exceed_tiles_together(const Plan& plan, const std::map<std::string, int64_t>& dims, std::vector<Misuse>& misuses) {
  if (!may_exceed_tiles(plan)) return;
  const Kernel& kernel = *plan.kernel;
  for (size_t i = 0; i < kernel.dims.size(); ++i) {
    const std::optional<int64_t> one = for_many_tiles(kernel, kernel.dims[i], dims);
    for (size_t j = i + 1; one && j < kernel.dims.size(); ++j) {
      const std::optional<int64_t> other = for_many_tiles(kernel, kernel.dims[j], dims);
      if (!other) continue;
      const std::string &a = kernel.dims[i].name, &b = kernel.dims[j].name;
      std::map<std::string, int64_t> both = dims;
      both[a] = *one;
      both[b] = *other;
      const int64_t tiles = programs_of(kernel, both);
      if (tiles % (int64_t{1} << 32) == 0)
        misuses.push_back({fmt::format("{}={} {}={}, too many tiles", a, *one, b, *other),
                           {{a, *one}, {b, *other}},
                           "",
                           kInvalidConfiguration});
    }
  }
}

using Values = std::function<std::optional<int64_t>(const Symbol&)>;

Values values_of(const Kernel& kernel, const Arguments& arguments) {
  return [&](const Symbol& symbol) -> std::optional<int64_t> {
    if (symbol.kind != SymbolKind::dim) return std::nullopt;
    return arguments.dims.at(kernel.dims[static_cast<size_t>(symbol.id)].name);
  };
}

// Adds strides of 0, which make elements of an output overlap that the launcher must keep apart.
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

// Adds dims that are small enough each, but whose product reaches 2^53.
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

// True if the array has no element in such a call: its pointer may then be null.
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
        const std::vector<TypedPtr>& shape = is_ref ? kernel.refs[index].array_shape : *kernel.scalars[index].shape;
        if (is_used(plan, parameter.kind, parameter.index) && !is_empty(shape, kernel, arguments))
          break_pointer(is_ref ? kernel.refs[index].name : kernel.scalars[index].name, place,
                        alignment_of(plan, parameter.kind, parameter.index), misuses);
        break;
      }
      case ParameterKind::workspace:
        break_pointer("the workspace", "workspace", kWorkspaceAlignment, misuses);
        misuses.push_back({"the workspace is small", {}, "break workspace less"});
        break;
      default:
        break;
    }
  }
  exceed_tiles_together(plan, arguments.dims, misuses);
  overlap_elements(plan, arguments, misuses);
  exceed_products(plan, misuses);
  return misuses;
}

}  // namespace pallasgen
