#include "tensor_function.h"

#include <algorithm>

namespace pallasgen {

namespace {

// The number by which the extent exceeds the dim, 1 for `B + 1`; nothing if the extent has another form.
std::optional<int64_t> beyond_dim(const TypedPtr& extent, int dim) {
  const std::optional<Affine> form = affine(extent);
  if (!form || form->terms.size() != 1) return std::nullopt;
  const auto& [symbol, coefficient] = form->terms.front();
  const bool is_dim = symbol.kind == SymbolKind::dim && symbol.id == dim && coefficient == 1;
  return is_dim ? std::optional<int64_t>(form->constant) : std::nullopt;
}

}  // namespace

TensorFunction::TensorFunction(const Plan& plan)
    : arguments(interface_of(plan)), has_workspace(!plan.launch.workspace.empty()), has_checks(!plan.faults.empty()) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (argument.is_array) (argument.role == ArgumentRole::output ? results : inputs).push_back(i);
    if (argument.role == ArgumentRole::size) sizes.push_back(i);
    if (argument.role == ArgumentRole::scalar) scalars.push_back(i);
  }
  allocates = !inputs.empty() && !results.empty();
}

std::optional<TensorFunction::Source> TensorFunction::source_of(size_t size, Form form) const {
  std::vector<size_t> arrays = inputs;
  if (form == Form::given) arrays.insert(arrays.end(), results.begin(), results.end());
  std::sort(arrays.begin(), arrays.end());
  for (const bool is_stride : {false, true}) {
    for (const size_t array : arrays) {
      const std::vector<TypedPtr>& extents = is_stride ? arguments[array].strides : arguments[array].shape;
      for (size_t axis = 0; axis < extents.size(); ++axis) {
        const std::optional<int64_t> less = beyond_dim(extents[axis], arguments[size].index);
        if (less && (is_stride || !is_halved(array, axis))) return Source{array, axis, is_stride, *less};
      }
    }
  }
  return std::nullopt;
}

std::vector<size_t> TensorFunction::sizes_said(Form form) const {
  std::vector<size_t> said;
  for (const size_t size : sizes) {
    const bool of_results = form == Form::allocated && is_in_results(size);
    if (!source_of(size, Form::given) || (of_results && !source_of(size, form))) said.push_back(size);
  }
  return said;
}

bool TensorFunction::is_in_results(size_t size) const {
  return std::any_of(results.begin(), results.end(), [&](size_t result) {
    const std::vector<TypedPtr>& shape = arguments[result].shape;
    return std::any_of(shape.begin(), shape.end(), [&](const TypedPtr& extent) {
      return mentions(extent, SymbolKind::dim, arguments[size].index);
    });
  });
}

bool TensorFunction::is_halved(size_t array, size_t axis) const {
  return is_packed(arguments[array].dtype) && axis + 1 == arguments[array].shape.size();
}

}  // namespace pallasgen
