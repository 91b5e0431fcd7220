#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/gradients.h"
#include "comment_text.h"
#include "expression/constant_text.h"
#include "file_view.h"
#include "plan/interface.h"
#include "spelling.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

std::string extents_text(const std::vector<TypedPtr>& shape) {
  std::vector<std::string> extents;
  for (const TypedPtr& extent : shape) extents.push_back(to_string(extent));
  return "[" + joined(extents, ", ") + "]";
}

std::vector<std::string> names_of_sizes(const std::vector<Argument>& arguments) {
  std::vector<std::string> names;
  for (const Argument& argument : arguments)
    if (argument.role == ArgumentRole::size) names.push_back(argument.name);
  return names;
}

// The header's sentence on the memory layout of the arrays.
std::string arrays_text(const Plan& plan) {
  const auto& refs = plan.kernel->refs;
  const bool strided = std::any_of(refs.begin(), refs.end(), [](const Ref& ref) { return !ref.strides.empty(); });
  return strided ? "Arrays are row-major and contiguous where no strides are given, in elements; they are in memory of"
                 : "Arrays are row-major and contiguous, in memory of";
}

std::string with_doc(const std::string& text, const std::string& doc) {
  return doc.empty() ? text : text + ": " + comment_line(doc);
}

std::string size_text(const Argument& size) {
  const int64_t short_of = (int64_t{1} << 31) - size.most;
  const std::string most = short_of < 1024 ? fmt::format("2^31 - {}", short_of) : std::to_string(size.most);
  std::string text = "size, " + std::to_string(size.least) + " to " + most;
  if (size.multiple_of > 1) text += ", a multiple of " + std::to_string(size.multiple_of);
  return text;
}

std::string array_text(const Argument& array) {
  std::string text = (array.role == ArgumentRole::output  ? "out  "
                      : array.role == ArgumentRole::inout ? "inout "
                                                          : "in   ") +
                     std::string(name_of(array.dtype)) + extents_text(array.shape);
  if (!array.strides.empty()) text += ", strides " + extents_text(array.strides);
  if (array.alignment > 1) text += ", aligned to " + std::to_string(array.alignment) + " bytes";
  if (!array.written_as.empty()) text += "; written as " + joined(array.written_as, ", ");
  return text;
}

// The header's line on the argument; empty for the stream.
std::string argument_doc(const Kernel& kernel, const std::vector<Argument>& all, const Argument& argument) {
  switch (argument.role) {
    case ArgumentRole::input:
    case ArgumentRole::output:
    case ArgumentRole::inout:
      return with_doc(array_text(argument), argument.doc);
    case ArgumentRole::size:
      return with_doc(size_text(argument), argument.doc);
    case ArgumentRole::scalar:
      return std::string(name_of(argument.dtype));
    case ArgumentRole::workspace:
      return fmt::format("memory for this launch alone, aligned to {} bytes", argument.alignment);
    case ArgumentRole::workspace_bytes:
      return fmt::format("its size, at least {}_workspace_bytes({})", kernel.name, joined(names_of_sizes(all), ", "));
    case ArgumentRole::stream:
      break;
  }
  return {};
}

// The value of a const as text for callers: an integer, or the name of a function; nothing for other consts.
std::optional<std::string> value_of(const KernelConst& constant) {
  if (const auto* name = std::get_if<std::string>(&constant.value)) return *name;
  const auto* scalar = std::get_if<Scalar>(&constant.value);
  const auto* integer = scalar ? std::get_if<int64_t>(scalar) : nullptr;
  return integer ? std::optional(std::to_string(*integer)) : std::nullopt;
}

// The consts named in array extents and strides or in the kernel's doc: callers see only the header.
std::vector<const KernelConst*> consts_of_header(const Kernel& kernel) {
  std::set<std::string> named;
  const auto note = [&](const std::vector<TypedPtr>& extents) {
    for (const TypedPtr& extent : extents) {
      walk(extent, [&](const Typed& node) {
        const Constant* constant = node.as<Constant>();
        for (std::string& name : names_in(constant ? constant->name : "")) named.insert(std::move(name));
      });
    }
  };
  for (const Ref& ref : kernel.refs) {
    if (ref.role != RefRole::input && ref.role != RefRole::output) continue;
    note(ref.array_shape);
    note(ref.strides);
  }
  for (const KernelScalar& scalar : kernel.scalars) {
    if (scalar.shape) note(*scalar.shape);
  }
  std::vector<const KernelConst*> consts;
  for (const KernelConst& constant : kernel.consts) {
    const bool is_named = named.count(constant.name) > 0 || named.count(kernel.identifiers.of(constant.name)) > 0;
    if ((is_named || has_word(kernel.doc, constant.name)) && value_of(constant)) consts.push_back(&constant);
  }
  return consts;
}

// True if programs add floats to memory atomically, in the order in which they arrive.
bool adds_in_any_order(const Plan& plan) {
  bool adds = false;
  const auto is_float = [&](int ref) { return ref >= 0 && info(plan.kernel->refs[ref].dtype).is_float; };
  for (const RolePlan& role : plan.roles) {
    for_each_statement(role.program, [&](const program::Statement& statement) {
      if (const auto* store = std::get_if<program::StoreGlobal>(&statement.node))
        adds = adds || (store->combine == program::AtomicKind::add && is_float(store->access.ref));
      if (const auto* element = std::get_if<program::StoreElement>(&statement.node))
        adds = adds || (element->atomic && element->atomic->kind == program::AtomicKind::add && is_float(element->ref));
      if (const auto* store = std::get_if<program::TensorStore>(&statement.node)) {
        const int ref = plan.stores[store->store].ref;
        adds = adds || (is_float(ref) && store->adds);
      }
    });
  }
  return adds;
}

// When a launcher launches nothing: "M is 0 or N is 0"; empty if it always launches.
std::string empty_text(const Plan& plan) {
  std::vector<std::string> when;
  for (const TypedPtr& condition : plan.launch.empty_when) {
    TypedPtr counted = condition->as<Apply>()->args[0];
    const Symbol* size = counted->as<Symbol>();
    if (size && size->kind == SymbolKind::axis_size) counted = plan.kernel->axes[static_cast<size_t>(size->id)].size;
    when.push_back(to_string(counted) + " is 0");
  }
  return joined(when, " or ");
}

// True if outputs have initial values, which are stored even if the grid is empty.
bool initial_values(const Plan& plan) {
  return std::any_of(plan.launch.fills.begin(), plan.launch.fills.end(),
                     [](const FillPlan& fill) { return fill.ref >= 0; });
}

}  // namespace

Json header_view(const Plan& plan) {
  const Kernel& kernel = *plan.kernel;
  const std::vector<Argument> arguments = interface_of(plan);
  std::vector<Parameter> declared = plan.launch.parameters;
  Json parameters = Json::array();
  size_t width = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    declared[i].name = arguments[i].name;
    if (arguments[i].role != ArgumentRole::stream) width = std::max(width, arguments[i].name.size());
  }
  for (const KernelConst* constant : consts_of_header(kernel))
    width = std::max(width, kernel.identifiers.of(constant->name).size());
  for (const Argument& argument : arguments) {
    const std::string doc = argument_doc(kernel, arguments, argument);
    if (!doc.empty()) parameters.push_back(fmt::format("{:<{}}  {}", argument.name, width, doc));
  }
  for (const KernelConst* constant : consts_of_header(kernel))
    parameters.push_back(fmt::format("{:<{}}  {}, a constant of this kernel", kernel.identifiers.of(constant->name),
                                     width, *value_of(*constant)));
  std::set<DType> dtypes;
  for (const Ref& ref : kernel.refs) dtypes.insert(ref.dtype);
  for (const KernelScalar& scalar : kernel.scalars) dtypes.insert(scalar.dtype);
  const auto seen = [&](std::initializer_list<DType> list) {
    return std::any_of(list.begin(), list.end(), [&](DType dtype) { return dtypes.count(dtype) > 0; });
  };
  Json c_types = Json::array();
  for (const DType dtype : dtypes) {
    const DTypeInfo& type = info(dtype);
    if (!type.c.empty()) c_types.push_back({{"raw", type.c}, {"type", is_packed(dtype) ? type.cuda_pair : type.cuda}});
  }
  std::vector<std::string> sizes = names_of_sizes(arguments);
  for (std::string& name : sizes) name = "int64_t " + name;
  Json doc = Json::array();
  for (const std::string& line : comment_lines(kernel.doc)) doc.push_back(line.empty() ? "" : " " + line);
  Json gradients = Json::array();
  for (const std::string& line : gradient_lines(kernel)) gradients.push_back(" " + comment_line(line));
  return {{"doc", doc},
          {"gradients", gradients},
          {"boolean", seen({DType::boolean})},
          {"bf16", seen({DType::bf16})},
          {"f16", seen({DType::f16})},
          {"f8", seen({DType::f8e4m3, DType::f8e5m2, DType::f8e8m0})},
          {"f4", seen({DType::f4e2m1})},
          {"c_types", c_types},
          {"int4", seen({DType::i4, DType::u4})},
          {"target", plan.target->name},
          {"capability",
           std::to_string(plan.target->capability_major) + "." + std::to_string(plan.target->capability_minor)},
          {"parameters", parameters},
          {"arrays", arrays_text(plan)},
          {"dims", sizes.empty() ? "void" : joined(sizes, ", ")},
          {"workspace", !plan.launch.workspace.empty()},
          {"checked", !plan.faults.empty()},
          {"empty", empty_text(plan)},
          {"initial", initial_values(plan) ? "; initial values are stored all the same" : ""},
          {"adds", adds_in_any_order(plan)},
          {"approximate", kernel.approximate_math},
          {"cooperative", plan.launch.cooperative},
          {"declaration", parameter_list(plan, declared, Site::header)}};
}

}  // namespace pallasgen
