#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arguments.h"
#include "array_size.h"
#include "fault.h"
#include "interpret/rules.h"

namespace pallasgen::interpreter {

Environment environment_of(const Kernel& kernel, const Arguments& arguments) {
  Environment environment;
  environment.kernel = &kernel;
  environment.functions = &kernel.functions;
  for (const Dim& dim : kernel.dims) {
    const auto found = arguments.dims.find(dim.name);
    environment.dims.push_back(found == arguments.dims.end() ? 0 : found->second);
  }
  for (const KernelScalar& scalar : kernel.scalars) {
    Value value = filled_value(scalar.dtype, {}, int64_t{0});
    if (const auto array = arguments.arrays.find(scalar.name); scalar.shape && array != arguments.arrays.end()) {
      value = value_of(array->second);
    } else if (const auto found = arguments.scalars.find(scalar.name); found != arguments.scalars.end()) {
      value = filled_value(scalar.dtype, {}, found->second);
    }
    environment.scalars.push_back(std::move(value));
  }
  environment.num_sms = arguments.num_sms;
  environment.lets.resize(kernel.lets.size());
  environment.axes.resize(kernel.axes.size());
  environment.axis_sizes.resize(kernel.axes.size());
  return environment;
}

std::optional<Shape> extents_of(const Ref& ref, Environment& environment, Diagnostics& diagnostics) {
  return extents_of(ref.name, ref.dtype, ref.array_shape, ref.span, environment, diagnostics);
}

std::optional<Shape> extents_of(const std::string& name, DType dtype, const std::vector<TypedPtr>& shape, Span span,
                                Environment& environment, Diagnostics& diagnostics) {
  Evaluator evaluator(environment);
  Shape extents;
  try {
    for (const TypedPtr& extent : shape) extents.push_back(evaluator.size(extent, kArgumentSize, "an extent of", name));
  } catch (const Fault& fault) {
    diagnostics.error(fault.rule, fault.span, fault.message);
    return std::nullopt;
  }
  if (!array_bytes(dtype, extents)) {
    diagnostics.error(kArgumentSize, span,
                      fmt::format("'{}' is {}[{}]; an array has extents of 0 or more and at most {} bytes", name,
                                  name_of(dtype), fmt::join(extents, ", "), kMostArrayBytes));
    return std::nullopt;
  }
  return extents;
}

Value value_of(const Array& array) {
  Value value = make_value(array.dtype, array.shape);
  load_elements(array.dtype, array.bytes.data(), 0, value.size(), value.data.get());
  return value;
}

Array array_of(const Value& value) {
  Array array = Array::zeros(value.dtype, value.shape);
  store_elements(value.dtype, value.data.get(), value.size(), array.bytes.data(), 0);
  return array;
}

}  // namespace pallasgen::interpreter
