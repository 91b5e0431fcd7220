#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/gradients.h"
#include "comment_text.h"
#include "expression/constant_text.h"
#include "file_view.h"
#include "spelling.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

// cuTensorMapEncodeTiled wants arrays at multiples of this (CUDA driver API, tensor maps).
constexpr int kTensorMapAlignment = 16;

int alignment_of(const Plan& plan, int ref) {
  int64_t bytes = 0;
  for (const Requirement& requirement : plan.launch.requirements) {
    if (requirement.kind == RequirementKind::aligned && requirement.ref == ref)
      bytes = std::max(bytes, requirement.bytes.value);
  }
  for (const TensorMapPlan& map : plan.maps) {
    if (buffer_of(*plan.kernel, map.ref) == ref) bytes = std::max<int64_t>(bytes, kTensorMapAlignment);
  }
  return static_cast<int>(bytes);
}

std::string extents_text(const std::vector<TypedPtr>& shape) {
  std::vector<std::string> extents;
  for (const TypedPtr& extent : shape) extents.push_back(to_string(extent));
  return "[" + joined(extents, ", ") + "]";
}

std::string array_text(DType dtype, const std::vector<TypedPtr>& shape) {
  return std::string(name_of(dtype)) + extents_text(shape);
}

// The outputs that are the buffer of this input.
std::string aliases_of(const Kernel& kernel, int input) {
  std::vector<std::string> names;
  for (const Ref& ref : kernel.refs) {
    if (ref.alias_of == input) names.push_back(ref.name);
  }
  return joined(names, ", ");
}

// What a caller knows the parameter by: as the spec calls it, also where the file must call it otherwise.
std::string declared_name(const Plan& plan, const Parameter& parameter) {
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

std::vector<Parameter> declared_parameters(const Plan& plan) {
  std::vector<Parameter> declared = plan.launch.parameters;
  for (Parameter& parameter : declared) parameter.name = declared_name(plan, parameter);
  return declared;
}

std::string dims_text(const Plan& plan) {
  std::vector<std::string> names;
  for (const Parameter& parameter : declared_parameters(plan))
    if (parameter.kind == ParameterKind::dim) names.push_back(parameter.name);
  return joined(names, ", ");
}

// How the arrays of this kernel lie in memory.
std::string arrays_text(const Plan& plan) {
  const auto& refs = plan.kernel->refs;
  const bool strided = std::any_of(refs.begin(), refs.end(), [](const Ref& ref) { return !ref.strides.empty(); });
  return strided ? "Arrays are row-major and contiguous where no strides are given, in elements; they are in memory of"
                 : "Arrays are row-major and contiguous, in memory of";
}

std::string with_doc(const std::string& text, const std::string& doc) {
  return doc.empty() ? text : text + ": " + comment_line(doc);
}

std::string dim_text(const Plan& plan, int index) {
  const Dim& dim = plan.kernel->dims[index];
  const auto bounded = plan.launch.most.find(index);
  int64_t last = INT32_MAX;  // sizes are ints in the kernel
  if (bounded != plan.launch.most.end()) last = bounded->second;
  if (dim.max) last = std::min(last, *dim.max);
  const int64_t short_of = (int64_t{1} << 31) - last;
  const std::string most = short_of < 1024 ? fmt::format("2^31 - {}", short_of) : std::to_string(last);
  std::string text = "size, " + std::to_string(dim.min) + " to " + most;
  if (dim.multiple_of > 1) text += ", a multiple of " + std::to_string(dim.multiple_of);
  return with_doc(text, dim.doc);
}

std::string parameter_doc(const Plan& plan, const Parameter& parameter) {
  const Kernel& kernel = *plan.kernel;
  switch (parameter.kind) {
    case ParameterKind::ref: {
      const Ref& ref = kernel.refs[parameter.index];
      const int alignment = alignment_of(plan, parameter.index);
      const bool written = is_written(kernel, parameter.index);
      std::string text = (ref.role == RefRole::output ? "out  "
                          : written                   ? "inout "
                                                      : "in   ") +
                         array_text(ref.dtype, ref.array_shape);
      if (!ref.strides.empty()) text += ", strides " + extents_text(ref.strides);
      if (alignment > 1) text += ", aligned to " + std::to_string(alignment) + " bytes";
      if (written && ref.role == RefRole::input) text += "; written as " + aliases_of(kernel, parameter.index);
      return with_doc(text, ref.doc);
    }
    case ParameterKind::workspace:
      return "memory for this launch alone, aligned to 256 bytes";
    case ParameterKind::workspace_bytes:
      return "its size, at least " + kernel.name + "_workspace_bytes(" + dims_text(plan) + ")";
    case ParameterKind::dim:
      return dim_text(plan, parameter.index);
    case ParameterKind::scalar: {
      const KernelScalar& scalar = kernel.scalars[parameter.index];
      return scalar.shape ? "in   " + array_text(scalar.dtype, *scalar.shape) : std::string(name_of(scalar.dtype));
    }
    default:
      return {};
  }
}

// The value of a const that a caller should know, as text: a number, or the name of a function.
std::optional<std::string> value_of(const KernelConst& constant) {
  if (const auto* name = std::get_if<std::string>(&constant.value)) return *name;
  const auto* scalar = std::get_if<Scalar>(&constant.value);
  const auto* integer = scalar ? std::get_if<int64_t>(scalar) : nullptr;
  return integer ? std::optional(std::to_string(*integer)) : std::nullopt;
}

// The consts that the extents of arrays name, or what the spec says of the kernel: a caller sees the header alone.
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

// Whether sums of floats in memory are added up by programs as they come.
bool adds_as_they_come(const Plan& plan) {
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

// When a launcher launches nothing: "M is 0 or N is 0"; empty: it always does.
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

// Whether outputs have initial values, which are stored for an empty grid too.
bool initial_values(const Plan& plan) {
  return std::any_of(plan.launch.fills.begin(), plan.launch.fills.end(),
                     [](const FillPlan& fill) { return fill.ref >= 0; });
}

std::string dims_list(const Plan& plan) {
  std::vector<std::string> dims;
  for (const Parameter& parameter : declared_parameters(plan))
    if (parameter.kind == ParameterKind::dim) dims.push_back("int64_t " + parameter.name);
  return joined(dims, ", ");
}

}  // namespace

Json header_view(const Plan& plan) {
  const Kernel& kernel = *plan.kernel;
  const std::vector<Parameter> declared = declared_parameters(plan);
  Json parameters = Json::array();
  size_t width = 0;
  for (const Parameter& parameter : declared) {
    if (!parameter_doc(plan, parameter).empty()) width = std::max(width, parameter.name.size());
  }
  for (const KernelConst* constant : consts_of_header(kernel))
    width = std::max(width, kernel.identifiers.of(constant->name).size());
  for (const Parameter& parameter : declared) {
    const std::string doc = parameter_doc(plan, parameter);
    if (!doc.empty()) parameters.push_back(fmt::format("{:<{}}  {}", parameter.name, width, doc));
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
  Json doc = Json::array();
  for (const std::string& line : comment_lines(kernel.doc)) doc.push_back(line.empty() ? "" : " " + line);
  Json gradients = Json::array();
  for (const std::string& line : gradient_lines(kernel)) gradients.push_back(" " + comment_line(line));
  return {{"doc", doc},
          {"gradients", gradients},
          {"bf16", seen({DType::bf16})},
          {"f16", seen({DType::f16})},
          {"f8", seen({DType::f8e4m3, DType::f8e5m2, DType::f8e8m0})},
          {"f4", seen({DType::f4e2m1})},
          {"int4", seen({DType::i4, DType::u4})},
          {"target", plan.target->name},
          {"capability",
           std::to_string(plan.target->capability_major) + "." + std::to_string(plan.target->capability_minor)},
          {"parameters", parameters},
          {"arrays", arrays_text(plan)},
          {"dims", dims_list(plan)},
          {"workspace", !plan.launch.workspace.empty()},
          {"checked", !plan.faults.empty()},
          {"empty", empty_text(plan)},
          {"initial", initial_values(plan) ? "; initial values are stored all the same" : ""},
          {"adds", adds_as_they_come(plan)},
          {"approximate", kernel.approximate_math},
          {"cooperative", plan.launch.cooperative},
          {"declaration", parameter_list(plan, declared, Site::header)}};
}

}  // namespace pallasgen
