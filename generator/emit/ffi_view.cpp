#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "file_view.h"
#include "spelling.h"
#include "tensor_function.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;
using Form = TensorFunction::Form;
using Names = std::vector<std::string>;

// A kernel's exports in C++.
class FfiView {
 public:
  explicit FfiView(const Plan& plan) : plan_(plan), function_(plan), spelling_(spelling_of(plan)) {
    spelling_.constant = [](const std::string&, bool) { return std::string(); };  // the file declares no constants
    std::set<std::string> taken;
    for (const Parameter& parameter : plan.launch.parameters) {
      variables_.push_back(parameter.name);
      taken.insert(parameter.name);
    }
    for (const Argument& argument : function_.arguments) {
      pointers_.push_back(argument.name + "_data");
      while (!taken.insert(pointers_.back()).second) pointers_.back() += "_";
    }
  }

  Json view() const {
    const Parameters given = parameters(Form::given), allocated = parameters(Form::allocated), launch = of_launch();
    return {{"first", given.front().name},
            {"first_allocated", function_.allocates ? allocated.front().name : ""},
            {"given", declared(given)},
            {"given_names", listed(names(given))},
            {"given_with", declared(with(given, "TensorView", "workspace"))},
            {"allocated", declared(allocated)},
            {"launch", declared(launch)},
            {"launch_names", listed(names(launch))},
            {"sizes", sizes(Form::given)},
            {"result_sizes", sizes(Form::allocated)},
            {"factors", factors()},
            {"arrays", arrays()},
            {"apart", apart()},
            {"results", results()},
            {"result", result_type()},
            {"returned", returned()},
            {"launched", launched()},
            {"size_names", listed(variables(function_.sizes))},
            {"size_parameters", declared(typed_sizes(function_.sizes))},
            {"allocates", function_.allocates},
            {"workspace", function_.has_workspace},
            {"checked", function_.has_checks},
            {"in_place", in_place()},
            {"aliased", declared(aliased())},
            {"exports", exports()},
            {"cpu_parameters", parameter_list(plan_, plan_.launch.parameters, Site::header)},
            {"cpu_sizes", function_.sizes.empty() ? "void" : declared(typed_sizes(function_.sizes))},
            {"literal", string_literal(plan_.kernel->name)}};
  }

 private:
  struct TypedName {
    std::string type, name;
    bool is_tensor = false;
  };
  using Parameters = std::vector<TypedName>;

  static Names names(const Parameters& parameters) {
    Names list;
    for (const TypedName& parameter : parameters) list.push_back(parameter.name);
    return list;
  }
  static std::string declared(const Parameters& parameters) {
    Names list;
    for (const TypedName& parameter : parameters) list.push_back(parameter.type + " " + parameter.name);
    return listed(list);
  }
  Names variables(const std::vector<size_t>& places) const {
    Names list;
    for (const size_t i : places) list.push_back(variables_[i]);
    return list;
  }

  Parameters typed_tensors(const std::vector<size_t>& places) const {
    Parameters list;
    for (const size_t i : places) list.push_back({"TensorView", variables_[i], true});
    return list;
  }
  Parameters typed_sizes(const std::vector<size_t>& places) const {
    Parameters list;
    for (const size_t i : places) list.push_back({"int64_t", variables_[i]});
    return list;
  }
  Parameters typed_scalars() const {
    Parameters list;
    for (const size_t i : function_.scalars) {
      const DTypeInfo& type = info(function_.arguments[i].dtype);
      list.push_back({type.is_float ? "double" : type.is_integer ? "int64_t" : "bool", variables_[i]});
    }
    return list;
  }
  static Parameters joined(std::initializer_list<Parameters> parts) {
    Parameters all;
    for (const Parameters& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
  Parameters parameters(Form form) const {
    return joined({typed_tensors(function_.inputs),
                   form == Form::given ? typed_tensors(function_.results) : Parameters(),
                   typed_sizes(function_.sizes_said(form)), typed_scalars()});
  }
  // Parameters of the function that launches with a workspace, which takes every size.
  Parameters of_launch() const {
    return joined({typed_tensors(function_.inputs), typed_tensors(function_.results), typed_sizes(function_.sizes),
                   typed_scalars()});
  }
  // The parameters with one more after the tensors.
  static Parameters with(Parameters parameters, const char* type, const std::string& name) {
    const auto behind = std::find_if(parameters.begin(), parameters.end(), [](const auto& p) { return !p.is_tensor; });
    parameters.insert(behind, {type, name, true});
    return parameters;
  }

  // The expression that reads a size from a tensor's shape or strides; empty if no tensor has it.
  std::string from_tensor(size_t size, Form form) const {
    const auto source = function_.source_of(size, form);
    if (!source) return "";
    const Argument& array = function_.arguments[source->array];
    const std::string place = fmt::format("{}, {}, {}, {}", string_literal(array.name), variables_[source->array],
                                          array.shape.size(), source->axis);
    const std::string less = source->less == 0 ? "" : fmt::format(" - {}", source->less);
    if (!source->is_stride) return fmt::format("call.size({}){}", place, less);
    Names factors;  // their product is the stride in an array without gaps
    for (size_t d = source->axis + 1; d < array.shape.size(); ++d)
      factors.push_back(cpp_conjunct(array.shape[d], spelling_));
    return fmt::format("call.stride({}, {}){}", place,
                       factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * ")), less);
  }
  // The sizes that tensors have; with Form::allocated only those on which extents of results depend.
  Json sizes(Form form) const {
    Json list = Json::array();
    for (const size_t size : function_.sizes) {
      const std::string value = from_tensor(size, form);
      const bool wanted = form == Form::given || function_.is_in_results(size);
      if (!value.empty() && wanted) list.push_back({{"name", variables_[size]}, {"value", value}});
    }
    return list;
  }

  Json factors() const {
    Json list = Json::array();
    for (const size_t size : function_.sizes) {
      const Argument& argument = function_.arguments[size];
      if (argument.multiple_of > 1)
        list.push_back(
            fmt::format("{}, {}, {}", string_literal(argument.name), variables_[size], argument.multiple_of));
    }
    for (const Argument& array : function_.arguments) {
      if (!array.is_array || !is_packed(array.dtype) || is_even(array.shape.back())) continue;
      const TypedPtr& row = array.shape.back();
      list.push_back(fmt::format("{}, {}, 2", string_literal(to_string(row)), cpp_expression(row, spelling_)));
    }
    return list;
  }
  // True if an extent in elements is known to be even; the launcher requires whole bytes in each row.
  bool is_even(const TypedPtr& extent) const {
    if (const std::optional<int64_t> value = constant_value(extent)) return *value % 2 == 0;
    const Symbol* symbol = extent->as<Symbol>();
    return symbol && symbol->kind == SymbolKind::dim && plan_.kernel->dims[symbol->id].multiple_of % 2 == 0;
  }

  static std::string text_of(const TypedPtr& extent) {
    const std::optional<int64_t> value = constant_value(extent);
    return value ? std::to_string(*value) : to_string(extent);
  }
  std::string extent_of_tensor(size_t array, size_t axis) const {
    const std::string value = cpp_expression(function_.arguments[array].shape[axis], spelling_);
    return function_.is_halved(array, axis) ? fmt::format("ceil_div({}, 2)", value) : value;
  }
  std::string extents(size_t array) const {
    Names parts;
    for (size_t axis = 0; axis < function_.arguments[array].shape.size(); ++axis) {
      const std::string text = text_of(function_.arguments[array].shape[axis]);
      const bool halved = function_.is_halved(array, axis);
      parts.push_back(fmt::format("{{{}, {}}}", string_literal(halved ? fmt::format("cdiv({}, 2)", text) : text),
                                  extent_of_tensor(array, axis)));
    }
    return fmt::format("{{{}}}", listed(parts));
  }
  std::string strides(const Argument& array) const {
    Names parts;
    for (const TypedPtr& stride : array.strides)
      parts.push_back(fmt::format("{{{}, {}}}", string_literal(text_of(stride)), cpp_expression(stride, spelling_)));
    return fmt::format("{{{}}}", listed(parts));
  }
  std::string memory_of(const Argument& array) const {
    return std::string(is_packed(array.dtype) ? info(array.dtype).cuda_pair : info(array.dtype).cuda);
  }
  Json arrays() const {
    Json list = Json::array();
    for (size_t i = 0; i < function_.arguments.size(); ++i) {
      const Argument& array = function_.arguments[i];
      if (!array.is_array) continue;
      std::string text =
          fmt::format("{}, {}, {}, {}", string_literal(array.name), variables_[i], extents(i), array.alignment);
      if (!array.strides.empty()) text += ", " + strides(array);
      const bool read_only = array.role == ArgumentRole::input;
      list.push_back({{"name", pointers_[i]},
                      {"type", (read_only ? "const " : "") + memory_of(array)},
                      {"arguments", std::move(text)}});
    }
    return list;
  }

  // Pairs of a written array and another array, which must not overlap; each pair once.
  Json apart() const {
    const auto& all = function_.arguments;
    const auto written = [](const Argument& a) {
      return a.role == ArgumentRole::output || a.role == ArgumentRole::inout;
    };
    Json list = Json::array();
    for (size_t i = 0; i < all.size(); ++i) {
      for (size_t j = 0; j < all.size(); ++j) {
        const Argument &result = all[i], &other = all[j];
        const bool once =
            i == j || !result.is_array || !other.is_array || !written(result) || (written(other) && j < i);
        if (once) continue;
        list.push_back(fmt::format("{}, {}, {}, {}", string_literal(result.name), variables_[i],
                                   string_literal(other.name), variables_[j]));
      }
    }
    return list;
  }

  Json results() const {
    Json list = Json::array();
    for (const size_t i : function_.results) {
      Names parts;
      const Argument& array = function_.arguments[i];
      for (size_t axis = 0; axis < array.shape.size(); ++axis) parts.push_back(extent_of_tensor(i, axis));
      list.push_back({{"name", variables_[i]},
                      {"value", fmt::format("call.result<{}>({{{}}})", memory_of(array), listed(parts))}});
    }
    return list;
  }
  std::string result_type() const {
    const Names all(function_.results.size(), "Tensor");
    return all.size() == 1 ? "Tensor" : fmt::format("Tuple<{}>", listed(all));
  }
  std::string returned() const {
    const Names list = variables(function_.results);
    return list.size() == 1 ? list.front() : fmt::format("{}({})", result_type(), listed(list));
  }

  // Each array written in place, paired with the result that aliases it.
  Json in_place() const {
    Json list = Json::array();
    for (const size_t i : function_.inputs) {
      const Argument& array = function_.arguments[i];
      if (array.role == ArgumentRole::inout)
        list.push_back(fmt::format("{}, {}, {}", string_literal(array.name), variables_[i], written(i)));
    }
    return list;
  }
  std::string written(size_t array) const {
    std::string name = variables_[array] + "_written";
    while (std::find(variables_.begin(), variables_.end(), name) != variables_.end()) name += "_";
    return name;
  }
  // Parameters of the form in which arrays that are written in place are given as results too.
  Parameters aliased() const {
    Parameters written_ones;
    for (const size_t i : function_.inputs) {
      if (function_.arguments[i].role == ArgumentRole::inout) written_ones.push_back({"TensorView", written(i), true});
    }
    return joined({typed_tensors(function_.inputs), written_ones, typed_tensors(function_.results),
                   typed_sizes(function_.sizes_said(Form::given)), typed_scalars()});
  }

  // The scalar as the launcher's argument; Python integers are checked to be in range.
  std::string scalar_text(size_t i) const {
    const Argument& scalar = function_.arguments[i];
    const DTypeInfo& type = info(scalar.dtype);
    if (scalar.dtype == DType::f64 || scalar.dtype == DType::i64 || scalar.dtype == DType::boolean)
      return variables_[i];
    return type.is_integer
               ? fmt::format("call.integer<{}>({}, {})", type.cuda, string_literal(scalar.name), variables_[i])
               : fmt::format("static_cast<{}>({})", type.cuda, variables_[i]);
  }
  // The launcher's arguments without the workspace and the stream, which follow sizes and scalars.
  std::string launched() const {
    std::string text;
    for (size_t i = 0; i < function_.arguments.size(); ++i) {
      const Argument& argument = function_.arguments[i];
      if (argument.is_array) text += pointers_[i] + ", ";
      if (argument.role == ArgumentRole::size) text += variables_[i] + ", ";
      if (argument.role == ArgumentRole::scalar) text += scalar_text(i) + ", ";
    }
    return text;
  }

  Json exports() const {
    const std::string& name = plan_.kernel->name;
    const Parameters given = parameters(Form::given);
    const std::string waits = function_.has_checks ? "; waits, and throws what the run-time checks found" : "";
    std::vector<std::pair<std::string, std::string>> rows = {
        {fmt::format("{}({})", name, listed(names(given))),
         (function_.results.empty() ? "writes in place" : "the results are given") + waits}};
    if (function_.allocates) {
      rows.emplace_back(fmt::format("{}_new({}) -> {}", name, listed(names(parameters(Form::allocated))),
                                    listed(variables(function_.results))),
                        "the results are allocated by the framework" + waits);
    }
    if (!in_place().empty())
      rows.emplace_back(fmt::format("{}_aliased({})", name, listed(names(aliased()))),
                        "what is written in place is given as a result, too");
    if (function_.has_workspace) {
      rows.emplace_back(fmt::format("{}_with({})", name, listed(names(with(given, "TensorView", "workspace")))),
                        function_.has_checks ? "the workspace is given, a tensor of bytes; does not wait"
                                             : "the workspace is given, a tensor of bytes");
      rows.emplace_back(fmt::format("{}_workspace_bytes({}) -> int", name, listed(variables(function_.sizes))),
                        "how large that is");
    }
    if (function_.has_checks)
      rows.emplace_back(fmt::format("{}_status(workspace) -> str", name),
                        "waits for the launch; what its checks found");
    size_t width = 0;
    for (const auto& row : rows) width = std::max(width, row.first.size());
    Json list = Json::array();
    for (const auto& [call, what] : rows) list.push_back(fmt::format("{:<{}}  {}", call, width, what));
    return list;
  }

  const Plan& plan_;
  const TensorFunction function_;
  Spelling spelling_;
  Names variables_, pointers_;  // by argument: the file's variable, and the pointer to its elements
};

}  // namespace

Json ffi_view(const Plan& plan) { return FfiView(plan).view(); }

}  // namespace pallasgen
