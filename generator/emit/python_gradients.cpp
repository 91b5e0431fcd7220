#include "python_gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "file_view.h"
#include "python_names.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;

class PythonGradients {
 public:
  PythonGradients(const TensorFunction& function, const Names& names, const Names& given)
      : function_(function), names_(names), given_(given) {}

  // The launches that compute the gradients, with this kernel's arrays by their Python names.
  Json view(const Gradients& gradients) const {
    PythonNames names;
    std::map<std::string, std::string> called;  // Python names by an array's name in the gradients
    for (size_t i = 0; i < function_.arguments.size(); ++i) {
      names.take(function_.arguments[i].name);
      if (function_.arguments[i].is_array) called[function_.arguments[i].name] = names_[i];
    }
    const auto name_of = [&](const std::string& array) {
      const auto known = called.find(array);
      return known != called.end() ? known->second : called[array] = names.take(array);
    };
    std::map<std::string, std::vector<TypedPtr>> shapes;
    for (const Argument& argument : function_.arguments)
      if (argument.is_array) shapes[argument.name] = argument.shape;
    Names cotangents, results;
    for (const size_t i : function_.results) results.push_back(names_[i]);
    std::map<std::string, std::string> cotangent_of;
    for (const auto& [output, cotangent] : gradients.cotangents) {
      cotangent_of[output] = name_of(cotangent);
      shapes[cotangent] = shapes[output];
    }
    for (const size_t i : function_.results) {
      const auto known = cotangent_of.find(function_.arguments[i].name);
      cotangents.push_back(known == cotangent_of.end() ? "_" + names_[i] : known->second);
    }
    Json launches = Json::array();
    std::set<std::string> used;
    for (const GradientStep& step : gradients.steps) {
      const Launch launch = launch_of(step, name_of, shapes);
      for (const auto& [inner, outer] : step.inputs) used.insert(outer);
      launches.push_back({{"call", launch.call}, {"made", launch.made}});
    }
    std::map<std::string, std::string> by_input;
    for (const auto& [input, gradient] : gradients.gradients) by_input[input] = name_of(gradient);
    Names returned, saved;
    for (const size_t i : function_.inputs) {
      const auto known = by_input.find(function_.arguments[i].name);
      returned.push_back(known == by_input.end() ? "None" : known->second);
    }
    for (const std::vector<size_t>& places : {function_.inputs, function_.results}) {
      for (const size_t i : places)
        if (used.contains(function_.arguments[i].name)) saved.push_back(string_literal(names_[i]));
    }
    Names parameters = {"sizes"};
    for (const std::string& argument : given_) parameters.push_back(argument);
    for (const std::string& result : results) parameters.push_back(result);
    parameters.insert(parameters.end(), cotangents.begin(), cotangents.end());
    return {{"parameters", listed(parameters)},
            {"launches", std::move(launches)},
            {"returned", tuple_of(returned)},
            {"saved", tuple_of(saved)}};
  }

 private:
  struct Launch {
    std::string call;  // calls the entry in `kernels` with arrays by that kernel's names
    Json made;         // "dq = made["dq"]"
  };
  template <class NameOf>
  Launch launch_of(const GradientStep& step, const NameOf& name_of,
                   std::map<std::string, std::vector<TypedPtr>>& shapes) const {
    Names arguments;
    const auto inner_name = [&](const std::string& name) { return PythonNames().take(name); };
    // An extent of one of the step's arrays, in the dims of this kernel.
    const auto here = [&](const TypedPtr& extent) {
      return substitute(extent, [&](const Symbol& symbol) -> TypedPtr {
        return symbol.kind == SymbolKind::dim ? step.dims[static_cast<size_t>(symbol.id)] : nullptr;
      });
    };
    const auto shape_of = [&](const std::string& name) {
      std::vector<TypedPtr> shape;
      for (const Ref& ref : step.kernel->refs)
        if (ref.name == name)
          for (const TypedPtr& extent : ref.array_shape) shape.push_back(here(extent));
      for (const KernelScalar& scalar : step.kernel->scalars)
        if (scalar.name == name && scalar.shape)
          for (const TypedPtr& extent : *scalar.shape) shape.push_back(here(extent));
      return shape;
    };
    const auto same = [](const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b) {
      return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
               return equal(simplify(x), simplify(y));
             });
    };
    for (const auto& [inner, outer] : step.inputs) {
      std::string array = name_of(outer);
      const std::vector<TypedPtr> wanted = shape_of(inner);
      if (!same(wanted, shapes[outer])) {
        Names list;
        for (const TypedPtr& extent : wanted) list.push_back(python_text(extent, dim_names()));
        array += fmt::format(".reshape({})", tuple_of(list));
      }
      arguments.push_back(fmt::format("{}={}", inner_name(inner), array));
    }
    for (size_t dim = 0; dim < step.dims.size(); ++dim)
      arguments.push_back(
          fmt::format("{}={}", inner_name(step.kernel->dims[dim].name), python_text(step.dims[dim], dim_names())));
    for (const auto& [inner, value] : step.scalars) {
      const auto* name = std::get_if<std::string>(&value);
      arguments.push_back(
          fmt::format("{}={}", inner_name(inner), name ? scalar_name(*name) : python_scalar(std::get<Scalar>(value))));
    }
    Launch launch;
    const std::string called = fmt::format("kernels[{}].by_name(", string_literal(step.kernel->name));
    constexpr std::string_view kAround = "    made = )";
    const bool fits = kAround.size() + called.size() + listed(arguments).size() <= kPythonColumns;
    launch.call =
        called + (fits ? listed(arguments) : fmt::format("\n    {},\n", fmt::join(arguments, ",\n    "))) + ")";
    launch.made = Json::array();
    for (const auto& [inner, outer] : step.outputs) {
      shapes[outer] = shape_of(inner);
      launch.made.push_back(fmt::format("{} = made[{}]", name_of(outer), string_literal(inner_name(inner))));
    }
    return launch;
  }
  std::string scalar_name(const std::string& name) const {
    for (const size_t i : function_.scalars)
      if (function_.arguments[i].name == name) return names_[i];
    return name;
  }

  std::function<std::string(int dim)> dim_names() const {
    return [this](int dim) {
      const auto is_dim = [&](size_t size) { return function_.arguments[size].index == dim; };
      return names_[*std::find_if(function_.sizes.begin(), function_.sizes.end(), is_dim)];
    };
  }

  const TensorFunction& function_;
  const Names &names_, &given_;
};

}  // namespace

Json python_gradients_view(const Gradients& gradients, const TensorFunction& function, const Names& names,
                           const Names& given) {
  return PythonGradients(function, names, given).view(gradients);
}

}  // namespace pallasgen
