#include "plan/interface.h"

#include <algorithm>

#include "check/gradients.h"
#include "report/plan_json.h"

namespace pallasgen {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kInterface = 1;  // raised when a key goes away or changes its meaning
constexpr int64_t kWorkspaceAlignment = 256;

int64_t alignment_of(const Plan& plan, const Parameter& parameter) {
  int64_t bytes = 1;
  for (const Requirement& requirement : plan.launch.requirements) {
    const int index = parameter.kind == ParameterKind::ref ? requirement.ref : requirement.scalar;
    if (requirement.kind == RequirementKind::aligned && index == parameter.index)
      bytes = std::max(bytes, requirement.bytes.value);
  }
  if (parameter.kind != ParameterKind::ref) return bytes;
  for (const TensorMapPlan& map : plan.maps) {
    if (buffer_of(*plan.kernel, map.ref) == parameter.index) bytes = std::max(bytes, kMapAlignment);
  }
  return bytes;
}

// The spec's name, unless another parameter has that name or C++ does not allow it.
std::string name_of_parameter(const Plan& plan, const Parameter& parameter) {
  const Kernel& kernel = *plan.kernel;
  std::string name;
  if (parameter.kind == ParameterKind::ref) name = kernel.refs[parameter.index].name;
  if (parameter.kind == ParameterKind::dim) name = kernel.dims[parameter.index].name;
  if (parameter.kind == ParameterKind::scalar) name = kernel.scalars[parameter.index].name;
  const auto is_other = [&](const Parameter& other) {
    return (other.kind != parameter.kind || other.index != parameter.index) && other.name == name;
  };
  const bool taken = std::any_of(plan.launch.parameters.begin(), plan.launch.parameters.end(), is_other);
  return name.empty() || taken || !is_declarable(name) ? parameter.name : name;
}

void describe_array(const Plan& plan, Argument& argument) {
  const Ref& ref = plan.kernel->refs[argument.index];
  const bool written = is_written(*plan.kernel, argument.index);
  argument.role = ref.role == RefRole::output ? ArgumentRole::output
                  : written                   ? ArgumentRole::inout
                                              : ArgumentRole::input;
  argument.is_array = true;
  argument.dtype = ref.dtype;
  argument.shape = ref.array_shape;
  argument.strides = ref.strides;
  argument.doc = ref.doc;
  for (const Ref& other : plan.kernel->refs) {
    if (other.alias_of == argument.index) argument.written_as.push_back(other.name);
  }
}

void describe_size(const Plan& plan, Argument& argument) {
  const Dim& dim = plan.kernel->dims[argument.index];
  const auto bounded = plan.launch.most.find(argument.index);
  argument.least = dim.min;
  argument.most = bounded != plan.launch.most.end() ? bounded->second : INT32_MAX;  // sizes are ints in the kernel
  if (dim.max) argument.most = std::min(argument.most, *dim.max);
  argument.multiple_of = dim.multiple_of;
  argument.doc = dim.doc;
}

Argument argument_of(const Plan& plan, const Parameter& parameter) {
  Argument argument;
  argument.name = name_of_parameter(plan, parameter);
  argument.index = parameter.index;
  switch (parameter.kind) {
    case ParameterKind::ref:
      describe_array(plan, argument);
      argument.alignment = alignment_of(plan, parameter);
      break;
    case ParameterKind::dim:
      argument.role = ArgumentRole::size;
      describe_size(plan, argument);
      break;
    case ParameterKind::scalar: {
      const KernelScalar& scalar = plan.kernel->scalars[parameter.index];
      argument.role = scalar.shape ? ArgumentRole::input : ArgumentRole::scalar;
      argument.is_array = scalar.shape.has_value();
      argument.dtype = scalar.dtype;
      if (scalar.shape) argument.shape = *scalar.shape;
      argument.alignment = alignment_of(plan, parameter);
      break;
    }
    case ParameterKind::workspace:
      argument.role = ArgumentRole::workspace;
      argument.alignment = kWorkspaceAlignment;
      break;
    case ParameterKind::workspace_bytes:
      argument.role = ArgumentRole::workspace_bytes;
      break;
    default:
      break;
  }
  return argument;
}

// Extents or strides: the text of the spec, and the value of a constant or the name of a single size.
Json extents_json(const Kernel& kernel, const std::vector<TypedPtr>& extents) {
  Json list = Json::array();
  for (const TypedPtr& extent : extents) {
    Json json = {{"text", to_string(extent)}};
    if (const std::optional<int64_t> value = constant_value(extent)) json["value"] = *value;
    const Symbol* symbol = extent->as<Symbol>();
    if (symbol && symbol->kind == SymbolKind::dim) json["size"] = kernel.dims[symbol->id].name;
    list.push_back(std::move(json));
  }
  return list;
}

Json argument_json(const Kernel& kernel, const Argument& argument) {
  Json json = {{"name", argument.name}, {"role", name_of(argument.role)}};
  if (!argument.doc.empty()) json["doc"] = argument.doc;
  if (argument.is_array || argument.role == ArgumentRole::scalar) json["dtype"] = name_of(argument.dtype);
  if (argument.is_array) {
    json["shape"] = extents_json(kernel, argument.shape);
    if (!argument.strides.empty()) json["strides"] = extents_json(kernel, argument.strides);
  }
  if (argument.is_array || argument.role == ArgumentRole::workspace) json["alignment"] = argument.alignment;
  if (!argument.written_as.empty()) json["written_as"] = argument.written_as;
  if (argument.role == ArgumentRole::size)
    json.update({{"least", argument.least}, {"most", argument.most}, {"multiple_of", argument.multiple_of}});
  return json;
}

Json pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json json = Json::object();
  for (const auto& [name, other] : pairs) json[name] = other;
  return json;
}

Json scalar_json(const std::variant<std::string, Scalar>& value) {
  if (const auto* name = std::get_if<std::string>(&value)) return {{"scalar", *name}};
  return std::visit([](auto number) { return Json{{"value", number}}; }, std::get<Scalar>(value));
}

// The launches that compute the gradients, with the names of the forward kernel.
Json gradients_json(const Gradients& gradients) {
  Json steps = Json::array();
  for (const GradientStep& step : gradients.steps) {
    Json sizes = Json::object(), scalars = Json::object();
    for (size_t dim = 0; dim < step.dims.size(); ++dim) sizes[step.kernel->dims[dim].name] = to_string(step.dims[dim]);
    for (const auto& [name, value] : step.scalars) scalars[name] = scalar_json(value);
    steps.push_back({{"kernel", step.kernel->name},
                     {"inputs", pairs_json(step.inputs)},
                     {"outputs", pairs_json(step.outputs)},
                     {"sizes", std::move(sizes)},
                     {"scalars", std::move(scalars)}});
  }
  return {{"launches", std::move(steps)},
          {"cotangents", pairs_json(gradients.cotangents)},
          {"gradients", pairs_json(gradients.gradients)}};
}

}  // namespace

const char* name_of(ArgumentRole role) {
  constexpr const char* kTexts[] = {"in", "out", "inout", "size", "scalar", "workspace", "workspace_bytes", "stream"};
  return kTexts[static_cast<size_t>(role)];
}

std::vector<Argument> interface_of(const Plan& plan) {
  std::vector<Argument> arguments;
  for (const Parameter& parameter : plan.launch.parameters) arguments.push_back(argument_of(plan, parameter));
  return arguments;
}

Json interface_json(const Plan& plan) {
  const Kernel& kernel = *plan.kernel;
  Json arguments = Json::array(), sizes = Json::array();
  for (const Argument& argument : interface_of(plan)) {
    arguments.push_back(argument_json(kernel, argument));
    if (argument.role == ArgumentRole::size) sizes.push_back(argument.name);
  }
  Json json = {{"version", kInterface}, {"function", kernel.name}};
  if (!kernel.doc.empty()) json["doc"] = kernel.doc;
  json["arguments"] = std::move(arguments);
  if (!plan.launch.workspace.empty())
    json["workspace_bytes"] = {{"function", kernel.name + "_workspace_bytes"}, {"sizes", std::move(sizes)}};
  if (!plan.faults.empty()) json["status"] = {{"function", kernel.name + "_status"}};
  json["empty_when"] = expressions_json(plan.launch.empty_when);
  json["needs"] = {{"target", plan.target->name},
                   {"compute_capability", {plan.target->capability_major, plan.target->capability_minor}}};
  if (kernel.gradients) json["gradients"] = gradients_json(*kernel.gradients);
  return json;
}

}  // namespace pallasgen
