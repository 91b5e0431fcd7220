#include "arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "array_size.h"
#include "fault.h"
#include "interpret/rules.h"

namespace pallasgen {
namespace interpreter {
namespace {

// An array among the arguments: an input, or an array of scalars.
struct ArrayUse {
  std::string name;
  DType dtype;
  const std::vector<TypedPtr>* shape;
  Span span;
};

std::vector<ArrayUse> array_uses(const Kernel& kernel) {
  std::vector<ArrayUse> uses;
  for (const Ref& ref : kernel.refs) {
    if (ref.role == RefRole::input) uses.push_back({ref.name, ref.dtype, &ref.array_shape, ref.span});
  }
  for (const KernelScalar& scalar : kernel.scalars) {
    if (scalar.shape) uses.push_back({scalar.name, scalar.dtype, &*scalar.shape, scalar.span});
  }
  return uses;
}

std::string shape_text(const std::vector<TypedPtr>& shape) {
  std::vector<std::string> extents;
  for (const TypedPtr& extent : shape) extents.push_back(to_string(extent));
  return fmt::format("[{}]", fmt::join(extents, ", "));
}

// Sets the only dim without a value so that the expression, c * dim + rest, equals `extent`; false if it cannot.
bool solve(const Kernel& kernel, const TypedPtr& expr, int64_t extent, Arguments& arguments) {
  const std::optional<Affine> form = affine(expr);
  if (!form) return false;
  int64_t rest = extent - form->constant;
  const Affine::Term* unknown = nullptr;
  for (const Affine::Term& term : form->terms) {
    if (term.symbol.kind != SymbolKind::dim) return false;
    const auto known = arguments.dims.find(kernel.dims[static_cast<size_t>(term.symbol.id)].name);
    if (known != arguments.dims.end())
      rest -= term.coefficient * known->second;
    else if (unknown)
      return false;
    else
      unknown = &term;
  }
  if (!unknown || rest % unknown->coefficient != 0) return false;
  arguments.dims[kernel.dims[static_cast<size_t>(unknown->symbol.id)].name] = rest / unknown->coefficient;
  return true;
}

template <class Map>
void check_names(const Map& given, std::string_view what, const std::vector<std::string>& known,
                 Diagnostics& diagnostics) {
  for (const auto& [name, value] : given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    Diagnostic& error = diagnostics.error(kArgumentUnknown, {}, fmt::format("the kernel has no {} '{}'", what, name));
    const std::string near = nearest(name, known);
    if (!near.empty())
      error.note(fmt::format("did you mean '{}'?", near));
    else
      error.note(known.empty() ? "it has none" : fmt::format("it has {}", fmt::join(known, ", ")));
  }
}

void check_dim(const Dim& dim, const Arguments& arguments, Diagnostics& diagnostics) {
  const auto found = arguments.dims.find(dim.name);
  if (found == arguments.dims.end()) {
    diagnostics.error(kArgumentMissing, dim.span, fmt::format("the dim '{}' has no value", dim.name))
        .note("give it, or an array whose shape has it as an extent of its own");
    return;
  }
  const int64_t value = found->second;
  if (value < dim.min) {
    diagnostics.error(kArgumentDim, dim.span,
                      fmt::format("{} = {} is less than its min, {}", dim.name, value, dim.min));
  } else if (dim.max && value > *dim.max) {
    diagnostics.error(kArgumentDim, dim.span,
                      fmt::format("{} = {} is more than its max, {}", dim.name, value, *dim.max));
  } else if (value % dim.multiple_of != 0) {
    const int64_t below = value / dim.multiple_of * dim.multiple_of;
    diagnostics
        .error(kArgumentDim, dim.span, fmt::format("{} = {} is no multiple of {}", dim.name, value, dim.multiple_of))
        .note(fmt::format("the nearest that are: {} and {}", below, below + dim.multiple_of));
  }
}

void check_scalar(const KernelScalar& scalar, const Arguments& arguments, Diagnostics& diagnostics) {
  const auto found = arguments.scalars.find(scalar.name);
  if (found == arguments.scalars.end()) {
    diagnostics.error(kArgumentMissing, scalar.span, fmt::format("the scalar '{}' has no value", scalar.name));
    return;
  }
  const Scalar& value = found->second;
  const auto wrong = [&](std::string_view what) {
    diagnostics.error(
        kArgumentType, scalar.span,
        fmt::format("the scalar '{}' is {}, and the value given is {}", scalar.name, name_of(scalar.dtype), what));
  };
  if (scalar.dtype == DType::boolean) {
    if (!std::holds_alternative<bool>(value)) wrong("no bool");
  } else if (std::holds_alternative<bool>(value)) {
    wrong("a bool");
  } else if (info(scalar.dtype).is_integer) {
    const int64_t* integer = std::get_if<int64_t>(&value);
    if (!integer)
      wrong("a float");
    else if (integer_of(filled_value(scalar.dtype, {}, *integer)) != *integer)
      wrong(fmt::format("{}, outside its range", *integer));
  }
}

void check_array(const Kernel& kernel, const ArrayUse& use, const Arguments& arguments, Diagnostics& diagnostics) {
  const auto found = arguments.arrays.find(use.name);
  if (found == arguments.arrays.end()) {
    // An array that cannot be given, as its extents are wrong, is not missing.
    Environment environment = environment_of(kernel, arguments);
    const bool known = std::all_of(kernel.dims.begin(), kernel.dims.end(),
                                   [&](const Dim& dim) { return arguments.dims.contains(dim.name); });
    if (!known || extents_of(use.name, use.dtype, *use.shape, use.span, environment, diagnostics))
      diagnostics.error(kArgumentMissing, use.span, fmt::format("the array '{}' is not given", use.name));
    return;
  }
  const Array& array = found->second;
  const std::string given = fmt::format("{}[{}]", name_of(array.dtype), fmt::join(array.shape, ", "));
  const std::string wanted = fmt::format("{}{}", name_of(use.dtype), shape_text(*use.shape));
  if (array.dtype != use.dtype) {
    diagnostics.error(kArgumentType, use.span,
                      fmt::format("the array given for '{}' is {}, and the spec says {}", use.name, given, wanted));
    return;
  }
  if (array.shape.size() != use.shape->size()) {
    diagnostics.error(kArgumentShape, use.span,
                      fmt::format("the array given for '{}' is {}, and the spec says {}", use.name, given, wanted));
    return;
  }
  const std::optional<int64_t> bytes = array_bytes(array.dtype, array.shape);
  if (!bytes || static_cast<size_t>(*bytes) != array.bytes.size()) {
    diagnostics.error(
        kArgumentShape, use.span,
        fmt::format("the array given for '{}' is {} but has {} bytes", use.name, given, array.bytes.size()));
    return;
  }
  Environment environment = environment_of(kernel, arguments);
  Evaluator evaluator(environment);
  for (size_t i = 0; i < array.shape.size(); ++i) {
    try {
      const int64_t extent = evaluator.size((*use.shape)[i], kArgumentSize, "an extent of", use.name);
      if (extent == array.shape[i]) continue;
      const TypedPtr& written = (*use.shape)[i];
      const std::string why = constant_value(written) ? "" : fmt::format(", which is {}", to_string(written));
      diagnostics.error(
          kArgumentShape, use.span,
          fmt::format("the array given for '{}' is {}: dim {} has {} elements, and its extent there is {}{}", use.name,
                      given, i, array.shape[i], extent, why));
    } catch (const Fault& fault) {
      diagnostics.error(fault.rule, fault.span, fault.message);
    }
  }
}

}  // namespace

void infer_dims(const Kernel& kernel, Arguments& arguments) {
  for (bool progress = true; progress;) {
    progress = false;
    for (const ArrayUse& use : array_uses(kernel)) {
      const auto found = arguments.arrays.find(use.name);
      if (found == arguments.arrays.end() || found->second.shape.size() != use.shape->size()) continue;
      for (size_t i = 0; i < use.shape->size(); ++i) {
        progress = solve(kernel, (*use.shape)[i], found->second.shape[i], arguments) || progress;
      }
    }
  }
}

bool check_arguments(const Kernel& kernel, const Arguments& arguments, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  std::vector<std::string> dims, scalars, arrays;
  const std::vector<ArrayUse> uses = array_uses(kernel);
  for (const Dim& dim : kernel.dims) dims.push_back(dim.name);
  for (const KernelScalar& scalar : kernel.scalars) {
    if (!scalar.shape) scalars.push_back(scalar.name);
  }
  for (const ArrayUse& use : uses) arrays.push_back(use.name);
  check_names(arguments.dims, "dim", dims, diagnostics);
  check_names(arguments.scalars, "scalar by value", scalars, diagnostics);
  check_names(arguments.arrays, "input", arrays, diagnostics);
  for (const KernelScalar& scalar : kernel.scalars) {
    if (!scalar.shape) check_scalar(scalar, arguments, diagnostics);
  }
  const int before_dims = diagnostics.errors();
  for (const Dim& dim : kernel.dims) check_dim(dim, arguments, diagnostics);
  if (diagnostics.errors() > before_dims) return false;  // shapes would only repeat it
  for (const ArrayUse& use : uses) check_array(kernel, use, arguments, diagnostics);
  return diagnostics.errors() == before;
}

}  // namespace interpreter

bool are_all_dims(const Kernel& kernel, const std::map<std::string, int64_t>& dims, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  std::vector<std::string> known;
  for (const Dim& dim : kernel.dims) {
    known.push_back(dim.name);
    if (!dims.count(dim.name))
      diagnostics.error(kArgumentMissing, dim.span, fmt::format("the dim '{}' has no value", dim.name));
  }
  interpreter::check_names(dims, "dim", known, diagnostics);
  return diagnostics.errors() == before;
}

bool complete_arguments(const Kernel& kernel, Arguments& arguments, Diagnostics& diagnostics) {
  interpreter::infer_dims(kernel, arguments);
  return interpreter::check_arguments(kernel, arguments, diagnostics);
}

}  // namespace pallasgen
