#include <algorithm>

#include "cpp_literal.h"
#include "file_view.h"
#include "fold_lines.h"
#include "spelling.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

std::string launcher_name(const Plan& plan, ParameterKind kind, int index, const std::string& otherwise) {
  const auto& parameters = plan.launch.parameters;
  const auto at = std::find_if(parameters.begin(), parameters.end(),
                               [&](const Parameter& p) { return p.kind == kind && (p.index == index || index < 0); });
  return at == parameters.end() ? otherwise : at->name;
}

std::string shape_text(const std::vector<TypedPtr>& extents, const Spelling& spelling) {
  std::vector<std::string> parts;
  for (const TypedPtr& extent : extents) parts.push_back(cpp_expression(extent, spelling));
  return "{" + joined(parts, ", ") + "}";
}

std::string condition_text(const Plan& plan, const Requirement& requirement, const Spelling& spelling) {
  std::vector<std::string> parts;
  switch (requirement.kind) {
    case RequirementKind::condition:
      for (const TypedPtr& condition : requirement.conditions) parts.push_back(cpp_conjunct(condition, spelling));
      return joined(parts, " && ");
    case RequirementKind::distinct: {
      const Ref& ref = plan.kernel->refs[requirement.ref];
      return "has_distinct_elements(" + shape_text(ref.array_shape, spelling) + ", " +
             shape_text(ref.strides, spelling) + ")";
    }
    case RequirementKind::fits_int32:
      for (const TypedPtr& value : requirement.values) parts.push_back(cpp_expression(value, spelling));
      return "fits_int32(" + joined(parts, ", ") + ")";
    case RequirementKind::product_fits:
      for (const TypedPtr& value : requirement.values) parts.push_back(cpp_expression(value, spelling));
      return "product_fits(" + joined(parts, ", ") + ")";
    case RequirementKind::aligned: {
      if (requirement.scalar >= 0) {
        const KernelScalar& scalar = plan.kernel->scalars[requirement.scalar];
        return "is_array(" + plan.kernel->identifiers.of(scalar.name) + ", " + requirement.bytes.text + ", " +
               shape_text(*scalar.shape, spelling) + ")";
      }
      const Ref& ref = plan.kernel->refs[requirement.ref];
      const std::string pointer =
          launcher_name(plan, ParameterKind::ref, requirement.ref, plan.kernel->identifiers.of(ref.name));
      const std::string extents = ref.array_shape.empty() ? "" : ", " + shape_text(ref.array_shape, spelling);
      return "is_array(" + pointer + ", " + requirement.bytes.text + extents + ")";
    }
  }
  return {};
}

Json requirements_view(const Plan& plan, const std::vector<Requirement>& requirements, const Spelling& spelling) {
  Json list = Json::array();
  for (const Requirement& requirement : requirements) {
    list.push_back({{"condition", condition_text(plan, requirement, spelling)},
                    {"message", string_literal(plan.kernel->name + ": " + requirement.message)}});
  }
  return list;
}

std::string blocks_text(const Plan& plan) {
  if (plan.work.axes.empty()) return "1";
  if (plan.launch.persistent && plan.launch.ctas > 0)
    return "grid_of_at_most(" + std::to_string(plan.launch.ctas) + ", " + tile_counts(plan) + ")";
  if (plan.launch.persistent) return "persistent_grid(" + tile_counts(plan) + ")";
  std::vector<std::string> counts;
  for (const int axis : plan.work.axes) counts.push_back(size_name(plan, axis));
  // The product of two sizes below 2^31 fits 64 bits; that of three may not.
  if (counts.size() > 2) return "tiles_in_all(" + joined(counts, ", ") + ")";
  if (counts.size() > 1) counts[0] = "int64_t{" + counts[0] + "}";
  return joined(counts, " * ");
}

std::string grid_text(const Plan& plan) {
  std::string text = blocks_text(plan);
  const bool clusters = plan.launch.cluster.value > 1;
  const bool rows = plan.launch.programs.value > 1;
  if (rows) text = "Grid::of_programs(" + text + ", " + plan.launch.programs.text + ")";
  if (clusters) text = "Grid::of_clusters(" + text + ", " + plan.launch.cluster.text + ")";
  if (!plan.launch.cooperative && !plan.launch.dependent) return text;
  if (!plan.launch.persistent && !clusters && !rows) text = "Grid(" + text + ")";
  if (plan.launch.cooperative) text += ".cooperative()";
  return text + (plan.launch.dependent ? ".dependent()" : "");
}

std::vector<Parameter> dims_of(const Plan& plan) {
  std::vector<Parameter> dims;
  for (const Parameter& parameter : plan.launch.parameters) {
    if (parameter.kind == ParameterKind::dim) dims.push_back(parameter);
  }
  return dims;
}

// The parts of the workspace as calls of Workspace::take.
Json workspace_view(const Plan& plan, const Spelling& spelling) {
  Json parts = Json::array();
  for (const WorkspacePart& part : plan.launch.workspace)
    parts.push_back({{"name", part.name},
                     {"take", "take<" + memory_type(part.dtype) + ">(" +
                                  (part.extents.empty() ? "" : shape_text(part.extents, spelling)) + ")"}});
  return parts;
}

// The calls that fill arrays with initial values: one for all arrays without strides.
Json fills_view(const Plan& plan, const Spelling& spelling) {
  Json fills = Json::array();
  std::vector<std::string> plain;
  const std::string stream = launcher_name(plan, ParameterKind::stream, -1, "stream");
  for (const FillPlan& fill : plan.launch.fills) {
    std::string name, extents;
    bool strided = false;
    if (fill.part >= 0) {
      const WorkspacePart& part = plan.launch.workspace[fill.part];
      name = part.name;
      if (!part.extents.empty()) extents = ", " + shape_text(part.extents, spelling);
    } else {
      const Ref& ref = plan.kernel->refs[fill.ref];
      const int buffer = buffer_of(*plan.kernel, fill.ref);
      name =
          launcher_name(plan, ParameterKind::ref, buffer, plan.kernel->identifiers.of(plan.kernel->refs[buffer].name));
      if (!ref.array_shape.empty()) extents = ", " + shape_text(ref.array_shape, spelling);
      strided = !ref.strides.empty();
      if (strided) extents += ", " + shape_text(ref.strides, spelling);
    }
    const std::string filled = name + ", " + cpp_expression(fill.value, spelling) + extents;
    if (strided)
      fills.push_back("fill_array(" + filled + ", " + stream + ")");
    else
      plain.push_back(filled);
  }
  if (plain.size() == 1) fills.push_back("fill_array(" + plain[0] + ", " + stream + ")");
  if (plain.size() > 1) fills.push_back("fill_arrays(" + stream + ", filling(" + joined(plain, "), filling(") + "))");
  return fills;
}

Json maps_view(const Plan& plan, const Spelling& spelling) {
  Json maps = Json::array();
  for (const TensorMapPlan& map : plan.maps) {
    std::vector<std::string> box;
    for (const Number& size : map.box) box.push_back(size.text);
    const int buffer = buffer_of(*plan.kernel, map.ref);
    const std::string& array = plan.kernel->refs[buffer].name;
    std::string form = swizzle_text(map.swizzle);
    if (!map.strides.empty()) form += ", " + shape_text(map.strides, spelling);
    if (map.tf32) form += ", kRoundedToTf32";
    std::string pointer = launcher_name(plan, ParameterKind::ref, buffer, plan.kernel->identifiers.of(array));
    // A map over const memory serves loads alone.
    if (plan.kernel->refs[map.ref].role == RefRole::input && is_written(*plan.kernel, buffer))
      pointer = "static_cast<const " + memory_type(plan.kernel->refs[map.ref].dtype) + "*>(" + pointer + ")";
    maps.push_back({{"name", map.name},
                    {"label", string_literal(array)},
                    {"pointer", pointer},
                    {"extents", shape_text(map.extents, spelling)},
                    {"box", "{" + joined(box, ", ") + "}"},
                    {"form", form}});
  }
  return maps;
}

}  // namespace

Json launch_view(const Plan& plan) {
  const Spelling spelling = spelling_of(plan);
  std::vector<std::string> empty, sizes;
  for (const TypedPtr& condition : plan.launch.empty_when) empty.push_back(cpp_conjunct(condition, spelling));
  for (const LaunchSize& size : plan.launch.sizes)
    if (!size.on_device) sizes.push_back(size.name + " = " + cpp_expression(size.value, spelling, IndexWidth::plain));
  const std::string arguments = argument_list(plan.launch.arguments);
  return {{"parameters", parameter_list(plan, plan.launch.parameters, Site::launcher)},
          {"requirements", requirements_view(plan, plan.launch.requirements, spelling)},
          {"num_sms", plan.launch.num_sms},
          {"num_sms_message", string_literal(plan.kernel->name + ": the device does not say how many SMs it has")},
          {"empty", joined(empty, " || ")},
          {"sizes", joined(sizes, ", ")},
          {"label", string_literal(plan.kernel->name)},
          {"maps", maps_view(plan, spelling)},
          {"fills", fills_view(plan, spelling)},
          {"workspace", workspace_view(plan, spelling)},
          {"workspace_requirements", requirements_view(plan, plan.launch.workspace_requirements, spelling)},
          {"workspace_parameters", parameter_list(plan, dims_of(plan), Site::launcher)},
          {"workspace_message",
           string_literal(plan.kernel->name + ": the workspace is too small, or not at a multiple of 256 bytes")},
          {"grid", grid_text(plan)},
          {"dependent", plan.launch.dependent},
          {"shared", plan.shared.fields.empty() ? "0" : "sizeof(Smem)"},
          {"stream", launcher_name(plan, ParameterKind::stream, -1, "stream")},
          {"arguments", arguments.empty() ? "" : "," + std::string(1, kPreferredBreak) + arguments}};
}

}  // namespace pallasgen
