#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "check/gradients.h"
#include "file_view.h"
#include "python_names.h"
#include "tensor_function.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;
using Form = TensorFunction::Form;
using Names = std::vector<std::string>;

constexpr size_t kColumns = 120;

// What a function in Python says of a kernel, and what it calls.
class PythonView {
 public:
  explicit PythonView(const Plan& plan)
      : kernel_(*plan.kernel),
        function_(plan),
        said_(function_.sizes_said(function_.allocates ? Form::allocated : Form::given)) {
    PythonNames names;
    for (const Argument& argument : function_.arguments) names_.push_back(names.take(argument.name));
    for (size_t i = 0; i < function_.arguments.size(); ++i) {
      if (function_.arguments[i].role == ArgumentRole::size) dims_[function_.arguments[i].index] = names_[i];
    }
  }

  Json view() const {
    const std::string name = PythonNames().take(kernel_.name);
    Json view = {{"name", name},
                 {"literal", string_literal(kernel_.name)},
                 {"called", listed(given())},
                 {"size_values", size_values()},
                 {"size_names", tuple_of(names_of(function_.sizes))},
                 {"size_parameters", listed(names_of(function_.sizes))},
                 {"shapes", shapes()},
                 {"arguments", arguments()},
                 {"results", results()},
                 {"allocates", function_.allocates},
                 {"signature", signature(name)},
                 {"summary", doc().front()},
                 {"doc", doc().back()},
                 {"result_names", tuple_of(names_of(function_.results))},
                 {"none_given", none_given()},
                 {"workspace", function_.has_workspace},
                 {"checked", function_.has_checks},
                 {"has_inputs", !function_.inputs.empty()},
                 {"given_first", !function_.allocates && !function_.results.empty()},
                 {"differentiable", kernel_.gradients != nullptr}};
    if (kernel_.gradients) view["gradients"] = gradients(*kernel_.gradients);
    view["imports"] = imports(view);
    return view;
  }

 private:
  Names names_of(const std::vector<size_t>& places) const {
    Names list;
    for (const size_t i : places) list.push_back(names_[i]);
    return list;
  }
  auto dim_names() const {
    return [this](int dim) { return dims_.at(dim); };
  }
  // The caller's arguments less the results.
  Names given() const {
    Names list = names_of(function_.inputs);
    for (const std::string& size : names_of(said_)) list.push_back(size);
    for (const std::string& scalar : names_of(function_.scalars)) list.push_back(scalar);
    return list;
  }

  // What the module takes from the package, of which it has all names.
  static std::string imports(const Json& view) {
    const std::string code =
        view["size_values"].dump() + view["shapes"].dump() + view.value("gradients", Json()).dump();
    const std::string arguments = view["arguments"].dump() + view["results"].dump();
    Names names = {"Array", "Kernel"};
    if (arguments.find(": Number(") != std::string::npos) names.push_back("Number");
    if (arguments.find(": Tensor(") != std::string::npos) names.push_back("Tensor");
    for (const char* name : {"cdiv(", "kernels[", "stride("}) {
      const std::string_view called = name;
      if (code.find(called) != std::string::npos) names.emplace_back(called.substr(0, called.size() - 1));
    }
    return listed(names);
  }

  // Each size that the arguments tell: "M = a.shape[0]".
  Json size_values() const {
    Json list = Json::array();
    for (const size_t size : function_.sizes) {
      const auto source = function_.source_of(size, Form::allocated);
      const auto of_result = source ? source : function_.source_of(size, Form::given);
      if (std::find(said_.begin(), said_.end(), size) != said_.end()) continue;
      const Argument& array = function_.arguments[of_result->array];
      std::string value;
      if (!source)  // the stride of a result, which is allocated without gaps
        value = dense_stride(array, of_result->axis);
      else if (source->is_stride)
        value =
            fmt::format("stride({}, {}, {})", names_[source->array], source->axis, dense_stride(array, source->axis));
      else
        value = fmt::format("{}.shape[{}]", names_[source->array], source->axis);
      if (of_result->less != 0) value += fmt::format(" - {}", of_result->less);
      list.push_back(fmt::format("{} = {}", names_[size], value));
    }
    return list;
  }
  std::string dense_stride(const Argument& array, size_t axis) const {
    Names factors;
    for (size_t d = axis + 1; d < array.shape.size(); ++d) {
      const std::string text = python_text(array.shape[d], dim_names());
      factors.push_back(text.find(' ') == std::string::npos ? text : "(" + text + ")");
    }
    return factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
  }

  Names extents(size_t array) const {
    Names list;
    const std::vector<TypedPtr>& shape = function_.arguments[array].shape;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      const std::string text = python_text(shape[axis], dim_names());
      list.push_back(function_.is_halved(array, axis) ? fmt::format("cdiv({}, 2)", text) : text);
    }
    return list;
  }
  std::string dtype_of(size_t array) const { return string_literal(framework_dtype(function_.arguments[array].dtype)); }
  Json shapes() const {
    Json list = Json::array();
    for (const size_t i : function_.results)
      list.push_back(fmt::format("({}, {}),", tuple_of(extents(i)), dtype_of(i)));
    return list;
  }

  std::string tensor(size_t i) const {
    const bool written = function_.arguments[i].role == ArgumentRole::inout;
    return fmt::format("{}: Tensor({}, {}{}),", string_literal(names_[i]), dtype_of(i),
                       string_literal(listed(extents(i))), written ? ", written=True" : "");
  }
  Json arguments() const {
    Json list = Json::array();
    for (const size_t i : function_.inputs) list.push_back(tensor(i));
    for (const size_t i : said_) {
      const bool told = function_.allocates && function_.source_of(i, Form::given).has_value();
      list.push_back(fmt::format("{}: Number(int{}),", string_literal(names_[i]), told ? ", of_results=True" : ""));
    }
    for (const size_t i : function_.scalars)
      list.push_back(fmt::format("{}: Number({}),", string_literal(names_[i]), type_of_scalar(i)));
    return list;
  }
  Json results() const {
    Json list = Json::array();
    for (const size_t i : function_.results) list.push_back(tensor(i));
    return list;
  }
  const char* type_of_scalar(size_t i) const {
    const DTypeInfo& type = info(function_.arguments[i].dtype);
    return type.is_float ? "float" : type.is_integer ? "int" : "bool";
  }

  // On one line, or with a line for each parameter.
  std::string signature(const std::string& name) const {
    Names parameters;
    for (const std::string& array : names_of(function_.inputs)) parameters.push_back(array + ": Array");
    if (!function_.allocates)
      for (const std::string& array : names_of(function_.results)) parameters.push_back(array + ": Array");
    for (const size_t i : said_) parameters.push_back(names_[i] + ": int");
    for (const size_t i : function_.scalars) parameters.push_back(fmt::format("{}: {}", names_[i], type_of_scalar(i)));
    if (function_.allocates) {
      parameters.push_back("*");
      for (const std::string& array : names_of(function_.results))
        parameters.push_back(array + ": Array | None = None");
    }
    const size_t count = returned().size();
    const std::string returns = count == 1 ? "Array" : fmt::format("tuple[{}]", listed(Names(count, "Array")));
    const std::string line = fmt::format("def {}({}) -> {}:", name, listed(parameters), returns);
    if (line.size() <= kColumns) return line;
    return fmt::format("def {}(\n    {},\n) -> {}:", name, fmt::join(parameters, ",\n    "), returns);
  }
  // What the function returns: the arrays that are written in place, and the results.
  Names returned() const {
    Names list;
    for (const size_t i : function_.inputs)
      if (function_.arguments[i].role == ArgumentRole::inout) list.push_back(names_[i]);
    for (const std::string& result : names_of(function_.results)) list.push_back(result);
    return list;
  }
  std::string none_given() const {
    const Names results = names_of(function_.results);
    constexpr size_t kFew = 3;
    if (results.size() > kFew) return fmt::format("all(result is None for result in {})", tuple_of(results));
    Names parts;
    for (const std::string& result : results) parts.push_back(result + " is None");
    return fmt::format("{}", fmt::join(parts, " and "));
  }

  // The docstring: its first line, and the others behind an empty one.
  Names doc() const {
    Names lines;
    const auto add = [&](const std::string& text) {
      for (const std::string& line : wrapped(python_doc(text), kColumns - 8)) lines.push_back(line);
    };
    add(kernel_.doc.empty() ? kernel_.name + "." : kernel_.doc);
    const std::string summary = lines.front();
    lines.erase(lines.begin());
    if (!lines.empty()) lines.push_back("");
    lines.push_back("Args:");
    for (size_t i = 0; i < function_.arguments.size(); ++i) {
      const std::string text = doc_of(i);
      if (text.empty()) continue;
      const Names parts = wrapped(python_doc(fmt::format("{}: {}", names_[i], text)), kColumns - 16);
      for (size_t p = 0; p < parts.size(); ++p) lines.push_back((p == 0 ? "    " : "        ") + parts[p]);
    }
    const Names sizes = doc_of_sizes();
    if (!sizes.empty()) {
      lines.push_back("");
      add(fmt::format("Sizes: {}.", fmt::join(sizes, "; ")));
    }
    lines.push_back("");
    add("Returns: " + listed(returned()));
    return {summary, fmt::format("{}", fmt::join(lines, "\n"))};
  }
  std::string doc_of(size_t i) const {
    const Argument& argument = function_.arguments[i];
    std::string text;
    if (argument.is_array) {
      text = fmt::format("{}[{}]", framework_dtype(argument.dtype), listed(extents(i)));
      if (!argument.strides.empty()) {
        Names strides;
        for (const TypedPtr& stride : argument.strides) strides.push_back(python_text(stride, dim_names()));
        text += fmt::format(" with strides {}", tuple_of(strides));
      }
      if (argument.alignment > 1) text += fmt::format(", at a multiple of {} bytes", argument.alignment);
      if (argument.role == ArgumentRole::output) text += "; a result";
      if (argument.role == ArgumentRole::inout) text += "; written in place";
    } else if (argument.role == ArgumentRole::scalar) {
      text = framework_dtype(argument.dtype);
    } else if (std::find(said_.begin(), said_.end(), i) != said_.end()) {
      text = "a size";
    }
    if (!text.empty() && !argument.doc.empty()) text += ". " + argument.doc;
    return text;
  }
  Names doc_of_sizes() const {
    Names list;
    for (const size_t i : function_.sizes) {
      const Argument& size = function_.arguments[i];
      Names parts;
      if (size.multiple_of > 1) parts.push_back(fmt::format("a multiple of {}", size.multiple_of));
      if (size.least > 0) parts.push_back(fmt::format("at least {}", size.least));
      if (size.most < INT32_MAX) parts.push_back(fmt::format("at most {}", size.most));
      if (!parts.empty()) list.push_back(fmt::format("{} is {}", names_[i], fmt::join(parts, ", ")));
    }
    return list;
  }

  // The launches that make the gradients, in the names of this kernel's arrays.
  Json gradients(const Gradients& gradients) const {
    PythonNames names;
    std::map<std::string, std::string> called;  // by an array's name in the space of the gradients
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
    Names cotangents;
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
    for (const std::string& argument : given()) parameters.push_back(argument);
    for (const std::string& result : names_of(function_.results)) parameters.push_back(result);
    parameters.insert(parameters.end(), cotangents.begin(), cotangents.end());
    return {{"parameters", listed(parameters)},
            {"launches", std::move(launches)},
            {"returned", tuple_of(returned)},
            {"saved", tuple_of(saved)}};
  }

  struct Launch {
    std::string call;  // of the entry in `kernels`, with the arrays by its names
    Json made;         // "dq = made["dq"]"
  };
  template <class NameOf>
  Launch launch_of(const GradientStep& step, const NameOf& name_of,
                   std::map<std::string, std::vector<TypedPtr>>& shapes) const {
    Names arguments;
    const auto inner_name = [&](const std::string& name) { return PythonNames().take(name); };
    // An extent of an array of the step, by the dims of this kernel.
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
    const bool fits = kAround.size() + called.size() + listed(arguments).size() <= kColumns;
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

  const Kernel& kernel_;
  const TensorFunction function_;
  const std::vector<size_t> said_;   // sizes that the caller says
  Names names_;                      // by argument
  std::map<int, std::string> dims_;  // by dim
};

}  // namespace

Json python_view(const Plan& plan) { return PythonView(plan).view(); }

}  // namespace pallasgen
