#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "comment_text.h"
#include "file_view.h"
#include "python_gradients.h"
#include "python_names.h"
#include "tensor_function.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;
using Form = TensorFunction::Form;
using Names = std::vector<std::string>;

// The view of a kernel as a Python function.
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
    const auto [summary, doc] = docstring();
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
                 {"summary", summary},
                 {"doc", doc},
                 {"result_names", tuple_of(names_of(function_.results))},
                 {"none_given", none_given()},
                 {"workspace", function_.has_workspace},
                 {"checked", function_.has_checks},
                 {"has_inputs", !function_.inputs.empty()},
                 {"given_first", !function_.allocates && !function_.results.empty()},
                 {"imports", imports()},
                 {"differentiable", kernel_.gradients != nullptr}};
    if (kernel_.gradients) view["gradients"] = python_gradients_view(*kernel_.gradients, function_, names_, given());
    return view;
  }

 private:
  Names names_of(const std::vector<size_t>& places) const {
    Names list;
    for (const size_t i : places) list.push_back(names_[i]);
    return list;
  }
  std::function<std::string(int dim)> dim_names() const {
    return [this](int dim) { return dims_.at(dim); };
  }
  // The caller's arguments without the results.
  Names given() const {
    Names list = names_of(function_.inputs);
    for (const std::string& size : names_of(said_)) list.push_back(size);
    for (const std::string& scalar : names_of(function_.scalars)) list.push_back(scalar);
    return list;
  }

  // The names that the module imports from the package.
  std::string imports() const {
    Names names = {"Array", "Kernel"};
    if (!said_.empty() || !function_.scalars.empty()) names.push_back("Number");
    names.push_back("Tensor");
    if (calls_cdiv()) names.push_back("cdiv");
    if (kernel_.gradients) names.push_back("kernels");
    const bool strides = std::any_of(function_.sizes.begin(), function_.sizes.end(), [&](size_t size) {
      const auto source = function_.source_of(size, Form::allocated);
      return source && source->is_stride;
    });
    if (strides) names.push_back("stride");
    return listed(names);
  }
  // True if the module's code calls cdiv: in shapes of results or of arrays of gradients.
  bool calls_cdiv() const {
    bool found = false;
    const auto look = [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) { found = found || node.applies(Op::cdiv); });
    };
    for (const size_t i : function_.results) {
      for (size_t axis = 0; axis < function_.arguments[i].shape.size(); ++axis) {
        look(function_.arguments[i].shape[axis]);
        found = found || function_.is_halved(i, axis);
      }
    }
    if (kernel_.gradients) {
      for (const GradientStep& step : kernel_.gradients->steps)
        for (const TypedPtr& dim : step.dims) look(dim);
    }
    return found;
  }

  // Assignments for the sizes that arguments determine: "M = a.shape[0]".
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
  std::string dtype_of(size_t array) const {
    return string_literal(std::string(info(function_.arguments[array].dtype).numpy));
  }
  Json shapes() const {
    Json list = Json::array();
    for (const size_t i : function_.results)
      list.push_back(fmt::format("({}, {}),", tuple_of(extents(i)), dtype_of(i)));
    return list;
  }

  std::string tensor(size_t i) const {
    const bool written = function_.arguments[i].role == ArgumentRole::inout;
    Names shape;
    for (const std::string& extent : extents(i)) shape.push_back(string_literal(extent));
    return fmt::format("{}: Tensor({}, {}{}),", string_literal(names_[i]), dtype_of(i), tuple_of(shape),
                       written ? ", written=True" : "");
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

  // The signature on one line, or with one line per parameter.
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
    if (line.size() <= kPythonColumns) return line;
    return fmt::format("def {}(\n    {},\n) -> {}:", name, fmt::join(parameters, ",\n    "), returns);
  }
  // The returned arrays: those written in place, then the results.
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

  // The docstring's first line, and its other lines, which follow an empty one.
  std::pair<std::string, std::string> docstring() const {
    Names lines;
    const auto add = [&](const std::string& text) {
      for (const std::string& line : wrapped(python_doc(text), kPythonColumns - 8)) lines.push_back(line);
    };
    for (const std::string& line : comment_lines(kernel_.doc.empty() ? kernel_.name + "." : kernel_.doc)) add(line);
    if (lines.empty()) lines.push_back(kernel_.name + ".");
    const std::string summary = lines.front();
    lines.erase(lines.begin());
    if (!lines.empty()) lines.push_back("");
    lines.push_back("Args:");
    for (size_t i = 0; i < function_.arguments.size(); ++i) {
      const std::string text = doc_of(i);
      if (text.empty()) continue;
      const Names parts = wrapped(python_doc(fmt::format("{}: {}", names_[i], text)), kPythonColumns - 16);
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
      text = fmt::format("{}[{}]", info(argument.dtype).numpy, listed(extents(i)));
      if (!argument.strides.empty()) {
        Names strides;
        for (const TypedPtr& stride : argument.strides) strides.push_back(python_text(stride, dim_names()));
        text += fmt::format(" with strides {}", tuple_of(strides));
      }
      if (argument.alignment > 1) text += fmt::format(", at a multiple of {} bytes", argument.alignment);
      if (argument.role == ArgumentRole::output) text += "; a result";
      if (argument.role == ArgumentRole::inout) text += "; written in place";
    } else if (argument.role == ArgumentRole::scalar) {
      text = info(argument.dtype).numpy;
    } else if (std::find(said_.begin(), said_.end(), i) != said_.end()) {
      text = "a size";
    }
    if (!text.empty() && !argument.doc.empty()) text += ". " + comment_line(argument.doc);
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

  const Kernel& kernel_;
  const TensorFunction function_;
  const std::vector<size_t> said_;   // sizes that the caller passes
  Names names_;                      // by argument
  std::map<int, std::string> dims_;  // by dim
};

}  // namespace

Json python_view(const Plan& plan) { return PythonView(plan).view(); }

}  // namespace pallasgen
