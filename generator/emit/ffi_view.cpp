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
            {"first_allocated", allocates ? names(Form::allocated).front() : ""},
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
  // Whether the extent of the tensor counts bytes, where each has two elements.
  static bool is_halved(const Argument& array, size_t axis) {
    return is_packed(array.dtype) && axis + 1 == array.shape.size();
  }
  // How the value of a size comes from a tensor; empty where none has it.
  std::string from_tensor(const Argument& size, Form form) const {
    for (const bool strides : {false, true}) {
      for (size_t i = 0; i < arguments_.size(); ++i) {
        const Argument& array = arguments_[i];
        if (!is_tensor(array, form)) continue;
        const auto& extents = strides ? array.strides : array.shape;
        for (size_t axis = 0; axis < extents.size(); ++axis) {
          if (!is_size(extents[axis], size.index) || (!strides && is_halved(array, axis))) continue;
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

  // The parameters of an exported function: tensors, sizes that none of them has, scalars.
  using Typed = std::vector<std::pair<std::string, std::string>>;  // type and name
  Typed typed_tensors(Form form) const {
    Typed list;
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (is_tensor(arguments_[i], form)) list.emplace_back("TensorView", variables_[i]);
    return list;
  }
  Typed typed_sizes(Form form) const {
    Typed list;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& size = arguments_[i];
      const bool found = !from_tensor(size, Form::given).empty();
      const bool of_result = form == Form::allocated && is_in_results(size) && from_tensor(size, form).empty();
      if (size.role == ArgumentRole::size && (!found || of_result)) list.emplace_back("int64_t", variables_[i]);
    }
    return list;
  }
  Typed typed_scalars() const {
    Typed list;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].role != ArgumentRole::scalar) continue;
      const DTypeInfo& type = info(arguments_[i].dtype);
      list.emplace_back(type.is_float ? "double" : type.is_integer ? "int64_t" : "bool", variables_[i]);
    }
    return list;
  }
  static std::vector<std::string> names(const std::vector<Typed>& parts) {
    std::vector<std::string> list;
    for (const Typed& part : parts)
      for (const auto& [type, name] : part) list.push_back(name);
    return list;
  }
  static std::string declared(const std::vector<Typed>& parts) {
    std::vector<std::string> list;
    for (const Typed& part : parts)
      for (const auto& [type, name] : part) list.push_back(type + " " + name);
    return fmt::format("{}", fmt::join(list, ", "));
  }
  std::vector<Typed> typed(Form form) const { return {typed_tensors(form), typed_sizes(form), typed_scalars()}; }
  std::vector<std::string> names(Form form) const { return names(typed(form)); }
  std::string parameters(Form form) const { return declared(typed(form)); }

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
    for (const Argument& array : arguments_) {
      if (!array.is_array || !is_packed(array.dtype) || is_even(array.shape.back())) continue;
      const TypedPtr& row = array.shape.back();
      list.push_back(fmt::format("{}, {}, 2", string_literal(to_string(row)), cpp_expression(row, spelling_)));
    }
    return list;
  }

  // Of an extent that counts elements; the launcher asks for whole bytes in each row.
  bool is_even(const TypedPtr& extent) const {
    if (const std::optional<int64_t> value = constant_value(extent)) return *value % 2 == 0;
    const Symbol* symbol = extent->as<Symbol>();
    return symbol && symbol->kind == SymbolKind::dim && plan_.kernel->dims[symbol->id].multiple_of % 2 == 0;
  }
  static std::string text_of(const TypedPtr& extent) {
    const std::optional<int64_t> value = constant_value(extent);
    return value ? std::to_string(*value) : to_string(extent);
  }
  std::string extent_of_tensor(const Argument& array, size_t axis) const {
    const std::string value = cpp_expression(array.shape[axis], spelling_);
    return is_halved(array, axis) ? fmt::format("ceil_div({}, 2)", value) : value;
  }
  std::string extents(const Argument& array) const {
    std::vector<std::string> parts;
    for (size_t axis = 0; axis < array.shape.size(); ++axis) {
      const std::string text = text_of(array.shape[axis]);
      parts.push_back(fmt::format("{{{}, {}}}",
                                  string_literal(is_halved(array, axis) ? fmt::format("cdiv({}, 2)", text) : text),
                                  extent_of_tensor(array, axis)));
    }
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  std::string strides(const Argument& array) const {
    std::vector<std::string> parts;
    for (const TypedPtr& stride : array.strides)
      parts.push_back(fmt::format("{{{}, {}}}", string_literal(text_of(stride)), cpp_expression(stride, spelling_)));
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
      std::string text =
          fmt::format("{}, {}, {}, {}", string_literal(array.name), variables_[i], extents(array), array.alignment);
      if (!array.strides.empty()) text += ", " + strides(array);
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
      for (size_t axis = 0; axis < array.shape.size(); ++axis) parts.push_back(extent_of_tensor(array, axis));
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

  // As the launcher takes it: integers of Python are checked to be in range.
  std::string scalar_text(size_t i) const {
    const Argument& scalar = arguments_[i];
    const DTypeInfo& type = info(scalar.dtype);
    if (scalar.dtype == DType::f64 || scalar.dtype == DType::i64 || scalar.dtype == DType::boolean)
      return variables_[i];
    return type.is_integer
               ? fmt::format("call.integer<{}>({}, {})", type.cuda, string_literal(scalar.name), variables_[i])
               : fmt::format("static_cast<{}>({})", type.cuda, variables_[i]);
  }
  // What the launcher is called with, less what stands behind sizes and scalars.
  std::string launched() const {
    std::string text;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& argument = arguments_[i];
      if (argument.role == ArgumentRole::workspace || argument.role == ArgumentRole::workspace_bytes ||
          argument.role == ArgumentRole::stream)
        continue;
      text += (argument.is_array                       ? pointers_[i]
               : argument.role == ArgumentRole::scalar ? scalar_text(i)
                                                       : variables_[i]) +
              ", ";
    }
    return text;
  }
  // What `launch` takes behind the tensors: sizes, and scalars.
  Json passed() const {
    Typed sizes;
    for (const std::string& name : size_names()) sizes.emplace_back("int64_t", name);
    const std::vector<Typed> all = {typed_tensors(Form::given), std::move(sizes), typed_scalars()};
    return {{"declared", declared(all)}, {"given", fmt::format("{}", fmt::join(names(all), ", "))}};
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
