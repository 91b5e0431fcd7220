#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/gradients.h"

namespace pallasgen {

namespace {

// An argument of a call: "name = here" if its name here differs.
std::string argument_text(const std::string& name, const std::string& here) {
  return name == here ? name : fmt::format("{} = {}", name, here);
}

std::string scalar_text(const std::variant<std::string, Scalar>& value) {
  if (const std::string* name = std::get_if<std::string>(&value)) return *name;
  const Scalar& scalar = std::get<Scalar>(value);
  if (const bool* flag = std::get_if<bool>(&scalar)) return *flag ? "true" : "false";
  if (const double* number = std::get_if<double>(&scalar)) return fmt::format("{}", *number);
  return fmt::format("{}", std::get<int64_t>(scalar));
}

std::string type_of(const Kernel& kernel, const std::string& output) {
  const Ref& ref = *kernel.find_ref(output);
  std::vector<std::string> extents;
  for (const TypedPtr& extent : ref.array_shape) extents.push_back(to_string(extent));
  return fmt::format("{}[{}]", name_of(ref.dtype), fmt::join(extents, ", "));
}

// The line of one launch: inputs, dims and scalars in the order of the launcher's parameters, and its outputs.
std::string launch_line(const GradientStep& step) {
  const Kernel& kernel = *step.kernel;
  std::vector<std::string> taken, made;
  for (const auto& [name, here] : step.inputs)
    if (kernel.find_ref(name)) taken.push_back(argument_text(name, here));
  for (size_t i = 0; i < kernel.dims.size(); ++i)
    taken.push_back(argument_text(kernel.dims[i].name, to_string(step.dims[i])));
  for (const KernelScalar& scalar : kernel.scalars) {
    const auto value = step.scalars.find(scalar.name);
    if (value != step.scalars.end()) taken.push_back(argument_text(scalar.name, scalar_text(value->second)));
    for (const auto& [name, here] : step.inputs)
      if (name == scalar.name) taken.push_back(argument_text(name, here));
  }
  for (const auto& [name, here] : step.outputs)
    made.push_back(fmt::format("{}: {}", argument_text(name, here), type_of(kernel, name)));
  return fmt::format("{}({}) -> {}", kernel.name, fmt::join(taken, ", "), fmt::join(made, ", "));
}

}  // namespace

std::vector<std::string> gradient_lines(const Kernel& kernel) {
  if (!kernel.gradients) return {};
  const Gradients& all = *kernel.gradients;
  std::vector<std::string> lines;
  std::vector<std::string> cotangents, zero, gradients;
  for (const auto& [output, name] : all.cotangents) cotangents.push_back(fmt::format("{} of {}", name, output));
  for (const Ref& ref : kernel.refs) {
    const bool read = std::any_of(all.cotangents.begin(), all.cotangents.end(),
                                  [&](const auto& row) { return row.first == ref.name; });
    if (ref.role == RefRole::output && info(ref.dtype).is_float && !read) zero.push_back(ref.name);
  }
  for (const auto& [input, name] : all.gradients) gradients.push_back(fmt::format("{} of {}", name, input));
  const bool one = all.steps.size() == 1;
  lines.push_back(fmt::format("Its gradients are made by {}, from the cotangent{} {}{}:",
                              one ? "one launch" : fmt::format("{} launches in this order", all.steps.size()),
                              cotangents.size() == 1 ? "" : "s", fmt::join(cotangents, ", "),
                              zero.empty() ? "" : fmt::format("; that of {} is taken as 0", fmt::join(zero, ", "))));
  for (const GradientStep& step : all.steps) lines.push_back("  " + launch_line(step));
  if (!gradients.empty())
    lines.push_back(
        fmt::format("The gradient{}: {}.", gradients.size() == 1 ? " is" : "s are", fmt::join(gradients, ", ")));
  return lines;
}

}  // namespace pallasgen
