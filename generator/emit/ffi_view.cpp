#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "file_view.h"
#include "plan/interface.h"
#include "spelling.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

// The arguments of a launcher as those of a function over tensors: arrays first, each size from the first array that
// has it for an extent or a stride, and by itself where none has.
class FfiView {
 public:
  explicit FfiView(const Plan& plan) : plan_(plan), spelling_(spelling_of(plan)), arguments_(interface_of(plan)) {
    spelling_.constant = [](const std::string&, bool) { return std::string(); };  // the file declares none
    std::set<std::string> taken;
    for (const Parameter& parameter : plan.launch.parameters) {
      variables_.push_back(parameter.name);
      taken.insert(parameter.name);
    }
    for (const Argument& argument : arguments_) {
      pointers_.push_back(argument.name + "_data");
      while (!taken.insert(pointers_.back()).second) pointers_.back() += "_";
    }
  }

  Json view() const {
    const Kernel& kernel = *plan_.kernel;
    const bool workspace = !plan_.launch.workspace.empty(), checked = !plan_.faults.empty();
    const auto any = [&](ArgumentRole role) {
      return std::any_of(arguments_.begin(), arguments_.end(), [&](const Argument& a) { return a.role == role; });
    };
    const bool all_tensors_inputs = any(ArgumentRole::input) || any(ArgumentRole::inout);
    const bool allocates = all_tensors_inputs && any(ArgumentRole::output);
    return {{"first", names(Form::given).front()},
            {"given", parameters(Form::given)},
            {"given_names", fmt::format("{}", fmt::join(names(Form::given), ", "))},
            {"allocated", parameters(Form::allocated)},
            {"allocated_names", fmt::format("{}", fmt::join(names(Form::allocated), ", "))},
            {"sizes", sizes(Form::given)},
            {"result_sizes", sizes(Form::allocated)},
            {"factors", factors()},
            {"arrays", arrays()},
            {"apart", apart()},
            {"results", results()},
            {"result", result_type()},
            {"returned", returned()},
            {"launched", launched()},
            {"size_names", fmt::format("{}", fmt::join(size_names(), ", "))},
            {"size_parameters", size_parameters()},
            {"passed", passed()},
            {"allocates", allocates},
            {"workspace", workspace},
            {"checked", checked},
            {"exports", exports(allocates, workspace, checked)},
            {"cpu_parameters", parameter_list(plan_, plan_.launch.parameters, Site::header)},
            {"cpu_sizes", cpu_sizes()},
            {"literal", string_literal(kernel.name)}};
  }

 private:
  // Whether the caller gives the results, or they are allocated.
  enum class Form { given, allocated };

  bool is_result(const Argument& argument) const { return argument.role == ArgumentRole::output; }
  bool is_tensor(const Argument& argument, Form form) const {
    return argument.is_array && (form == Form::given || !is_result(argument));
  }

  // Whether extents of results are made of the size.
  bool is_in_results(const Argument& size) const {
    return std::any_of(arguments_.begin(), arguments_.end(), [&](const Argument& other) {
      return is_result(other) && std::any_of(other.shape.begin(), other.shape.end(), [&](const TypedPtr& extent) {
               return mentions(extent, SymbolKind::dim, size.index);
             });
    });
  }
  static bool is_size(const TypedPtr& extent, int dim) {
    const Symbol* symbol = extent->as<Symbol>();
    return symbol && symbol->kind == SymbolKind::dim && symbol->id == dim;
  }
  // How the value of a size comes from a tensor; empty where none has it.
  std::string from_tensor(const Argument& size, Form form) const {
    for (const bool strides : {false, true}) {
      for (size_t i = 0; i < arguments_.size(); ++i) {
        const Argument& array = arguments_[i];
        if (!is_tensor(array, form)) continue;
        const auto& extents = strides ? array.strides : array.shape;
        for (size_t axis = 0; axis < extents.size(); ++axis) {
          const bool halved = is_packed(array.dtype) && axis + 1 == extents.size();
          if (!is_size(extents[axis], size.index) || halved) continue;
          const std::string place =
              fmt::format("{}, {}, {}, {}", string_literal(array.name), variables_[i], array.shape.size(), axis);
          return strides ? fmt::format("call.stride({}, {})", place, dense(array, axis))
                         : fmt::format("call.size({})", place);
        }
      }
    }
    return "";
  }
  // The stride of the axis in an array without gaps.
  std::string dense(const Argument& array, size_t axis) const {
    std::vector<std::string> factors;
    for (size_t d = axis + 1; d < array.shape.size(); ++d) factors.push_back(cpp_conjunct(array.shape[d], spelling_));
    return factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
  }

  // The parameters of an exported function, and their names.
  std::vector<std::pair<std::string, std::string>> typed(Form form) const {
    std::vector<std::pair<std::string, std::string>> list;
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (is_tensor(arguments_[i], form)) list.emplace_back("TensorView", variables_[i]);
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& size = arguments_[i];
      const bool found = !from_tensor(size, Form::given).empty();
      const bool of_result = form == Form::allocated && is_in_results(size) && from_tensor(size, form).empty();
      if (size.role == ArgumentRole::size && (!found || of_result)) list.emplace_back("int64_t", variables_[i]);
    }
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].role != ArgumentRole::scalar) continue;
      const DTypeInfo& type = info(arguments_[i].dtype);
      list.emplace_back(type.is_float ? "double" : type.is_integer ? "int64_t" : "bool", variables_[i]);
    }
    return list;
  }
  std::vector<std::string> names(Form form) const {
    std::vector<std::string> list;
    for (const auto& [type, name] : typed(form)) list.push_back(name);
    return list;
  }
  std::string parameters(Form form) const {
    std::vector<std::string> list;
    for (const auto& [type, name] : typed(form)) list.push_back(type + " " + name);
    return fmt::format("{}", fmt::join(list, ", "));
  }

  // Those of `allocated` are what the extents of results are made of.
  Json sizes(Form form) const {
    Json list = Json::array();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& size = arguments_[i];
      const std::string value = size.role == ArgumentRole::size ? from_tensor(size, form) : "";
      const bool wanted = form == Form::given || is_in_results(size);
      if (!value.empty() && wanted) list.push_back({{"name", variables_[i]}, {"value", value}});
    }
    return list;
  }
  std::vector<std::string> size_names() const {
    std::vector<std::string> list;
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (arguments_[i].role == ArgumentRole::size) list.push_back(variables_[i]);
    return list;
  }
  std::string size_parameters() const {
    std::vector<std::string> list = size_names();
    for (std::string& name : list) name = "int64_t " + name;
    return fmt::format("{}", fmt::join(list, ", "));
  }
  std::string cpu_sizes() const {
    const std::string list = size_parameters();
    return list.empty() ? "void" : list;
  }

  Json factors() const {
    Json list = Json::array();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].multiple_of > 1)
        list.push_back(
            fmt::format("{}, {}, {}", string_literal(arguments_[i].name), variables_[i], arguments_[i].multiple_of));
    }
    return list;
  }

  // Extents of the tensor: the last one counts bytes where each has two elements.
  std::string extents(const Argument& array, const std::vector<TypedPtr>& list) const {
    std::vector<std::string> parts;
    for (const TypedPtr& extent : list) {
      const bool halved = is_packed(array.dtype) && &extent == &list.back();
      const std::string name = constant_value(extent) ? std::to_string(*constant_value(extent)) : to_string(extent);
      const std::string value = cpp_expression(extent, spelling_);
      parts.push_back(halved ? fmt::format("{{{}, ceil_div({}, 2)}}", string_literal("cdiv(" + name + ", 2)"), value)
                             : fmt::format("{{{}, {}}}", string_literal(name), value));
    }
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  std::string memory_of(const Argument& array) const {
    return std::string(is_packed(array.dtype) ? info(array.dtype).cuda_pair : info(array.dtype).cuda);
  }
  Json arrays() const {
    Json list = Json::array();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& array = arguments_[i];
      if (!array.is_array) continue;
      std::string text = fmt::format("{}, {}, {}, {}", string_literal(array.name), variables_[i],
                                     extents(array, array.shape), array.alignment);
      if (!array.strides.empty()) text += ", " + extents(array, array.strides);
      const bool read_only = array.role == ArgumentRole::input;
      list.push_back({{"name", pointers_[i]},
                      {"type", (read_only ? "const " : "") + memory_of(array)},
                      {"arguments", std::move(text)}});
    }
    return list;
  }

  // Each array that is written, with each other one; arrays with gaps may interleave.
  Json apart() const {
    Json list = Json::array();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      for (size_t j = 0; j < arguments_.size(); ++j) {
        const Argument &result = arguments_[i], &other = arguments_[j];
        const auto written = [](const Argument& a) {
          return a.role == ArgumentRole::output || a.role == ArgumentRole::inout;
        };
        const bool once =
            i == j || !result.is_array || !other.is_array || !written(result) || (written(other) && j < i);
        if (once || !result.strides.empty() || !other.strides.empty()) continue;
        list.push_back(fmt::format("{}, {}, {}, {}", string_literal(result.name), variables_[i],
                                   string_literal(other.name), variables_[j]));
      }
    }
    return list;
  }

  std::vector<size_t> result_places() const {
    std::vector<size_t> list;
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (is_result(arguments_[i])) list.push_back(i);
    return list;
  }
  Json results() const {
    Json list = Json::array();
    for (const size_t i : result_places()) {
      std::vector<std::string> parts;
      const Argument& array = arguments_[i];
      for (const TypedPtr& extent : array.shape) {
        const std::string value = cpp_expression(extent, spelling_);
        const bool halved = is_packed(array.dtype) && &extent == &array.shape.back();
        parts.push_back(halved ? fmt::format("ceil_div({}, 2)", value) : value);
      }
      list.push_back({{"name", variables_[i]},
                      {"value", fmt::format("call.result<{}>({{{}}})", memory_of(array), fmt::join(parts, ", "))}});
    }
    return list;
  }
  std::string result_type() const {
    const std::vector<std::string> all(result_places().size(), "Tensor");
    return all.size() == 1 ? "Tensor" : fmt::format("Tuple<{}>", fmt::join(all, ", "));
  }
  std::string returned() const {
    std::vector<std::string> list;
    for (const size_t i : result_places()) list.push_back(variables_[i]);
    return list.size() == 1 ? list.front() : fmt::format("{}({})", result_type(), fmt::join(list, ", "));
  }

  // What the launcher is called with, less what stands behind sizes and scalars.
  std::string launched() const {
    std::string text;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& argument = arguments_[i];
      if (argument.role == ArgumentRole::workspace || argument.role == ArgumentRole::workspace_bytes ||
          argument.role == ArgumentRole::stream)
        continue;
      const std::string type(info(argument.dtype).cuda);
      const bool as_it_is =
          argument.dtype == DType::f64 || argument.dtype == DType::i64 || argument.dtype == DType::boolean;
      const std::string scalar = as_it_is ? variables_[i] : fmt::format("static_cast<{}>({})", type, variables_[i]);
      text += (argument.is_array                       ? pointers_[i]
               : argument.role == ArgumentRole::scalar ? scalar
                                                       : variables_[i]) +
              ", ";
    }
    return text;
  }
  // What `launch` takes behind the tensors: sizes, and scalars.
  Json passed() const {
    std::vector<std::string> declared, given;
    for (const auto& [type, name] : typed(Form::given)) {
      if (type == "TensorView") {
        declared.push_back("TensorView " + name);
        given.push_back(name);
      }
    }
    for (const std::string& name : size_names()) {
      declared.push_back("int64_t " + name);
      given.push_back(name);
    }
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].role != ArgumentRole::scalar) continue;
      for (const auto& [type, name] : typed(Form::given)) {
        if (name == variables_[i]) declared.push_back(type + " " + name);
      }
      given.push_back(variables_[i]);
    }
    return {{"declared", fmt::format("{}", fmt::join(declared, ", "))},
            {"given", fmt::format("{}", fmt::join(given, ", "))}};
  }

  Json exports(bool allocates, bool workspace, bool checked) const {
    const std::string& name = plan_.kernel->name;
    const std::string given = fmt::format("{}", fmt::join(names(Form::given), ", "));
    const std::string waits = checked ? "; waits, and throws what the run-time checks found" : "";
    std::vector<std::pair<std::string, std::string>> rows = {
        {fmt::format("{}({})", name, given),
         (result_places().empty() ? "writes in place" : "the results are given") + waits}};
    if (allocates) {
      std::vector<std::string> made;
      for (const size_t i : result_places()) made.push_back(variables_[i]);
      rows.emplace_back(
          fmt::format("{}_new({}) -> {}", name, fmt::join(names(Form::allocated), ", "), fmt::join(made, ", ")),
          "the results are allocated by the framework" + waits);
    }
    if (workspace) {
      rows.emplace_back(fmt::format("{}_with({}, workspace)", name, given),
                        checked ? "the workspace is given, a tensor of bytes; does not wait"
                                : "the workspace is given, a tensor of bytes");
      rows.emplace_back(fmt::format("{}_workspace_bytes({}) -> int", name, fmt::join(size_names(), ", ")),
                        "how large that is");
    }
    if (checked)
      rows.emplace_back(fmt::format("{}_status(workspace) -> str", name),
                        "waits for the launch; what its checks found");
    size_t width = 0;
    for (const auto& row : rows) width = std::max(width, row.first.size());
    Json list = Json::array();
    for (const auto& [call, what] : rows) list.push_back(fmt::format("{:<{}}  {}", call, width, what));
    return list;
  }

  const Plan& plan_;
  Spelling spelling_;
  const std::vector<Argument> arguments_;
  std::vector<std::string> variables_, pointers_;  // by argument: what the file calls it, and its elements
};

}  // namespace

Json ffi_view(const Plan& plan) { return FfiView(plan).view(); }

}  // namespace pallasgen
