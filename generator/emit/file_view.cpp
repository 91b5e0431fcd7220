#include "file_view.h"

#include <fmt/format.h>

#include "cpp_literal.h"
#include "diagnostics/assert.h"
#include "program_writer.h"
#include "spelling.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWarpsPerWarpgroup = 4;
constexpr int kRuntimeVersion = 1;  // runtime/pallasgen/version.h

// Lines of constants, grouped as in the plan: `constexpr int bm = 128, bn = 256;  // comment`.
Json constants_view(const Plan& plan) {
  Json lines = Json::array();
  for (size_t i = 0; i < plan.constants.size();) {
    std::vector<std::string> declared, comments;
    const PlanConstant& first = plan.constants[i];
    for (; i < plan.constants.size() && plan.constants[i].line == first.line && plan.constants[i].type == first.type;
         ++i) {
      const PlanConstant& constant = plan.constants[i];
      const std::string number =
          constant.real ? float_literal(*constant.real) : constant_literal(DType::index, constant.value);
      const std::string value = constant.formula.empty() ? number : constant.formula;
      declared.push_back(constant.name + " = " + value);
      if (!constant.comment.empty()) comments.push_back(constant.comment);
    }
    const std::string comment = joined(comments, "; ");
    lines.push_back({{"type", first.type},
                     {"declared", joined(declared, ", ")},
                     {"tail", comment.empty() ? "" : "  // " + comment}});
  }
  return lines;
}

// "kStageBytes == 49152"
std::string checks_text(const Plan& plan) {
  std::vector<std::string> checks;
  for (const PlanConstant& constant : plan.constants) {
    if (constant.checked) checks.push_back(fmt::format("{} == {}", constant.name, constant.value));
  }
  return joined(checks, " && ");
}

Json faults_view(const Plan& plan) {
  Json faults = Json::array();
  for (const std::string& fault : plan.faults) faults.push_back(string_literal(plan.kernel->name + ": " + fault));
  return faults;
}

std::vector<std::string> fault_axes(const Plan& plan) {
  std::vector<std::string> axes;
  for (const Axis& axis : plan.kernel->axes) axes.push_back(string_literal(axis.name));
  return axes;
}

}  // namespace

std::string type_of(const SharedField& field) {
  return !field.type.empty() ? field.type
         : field.is_barrier  ? "Barrier"
         : field.packed      ? memory_type(field.dtype)
                             : cpp_type(field.dtype);
}

std::string bounds_of(const SharedField& field) {
  std::string bounds;
  for (const Number& dim : field.dims) bounds += "[" + dim.text + "]";
  return bounds;
}

namespace {

Json shared_view(const Plan& plan) {
  Json fields = Json::array();
  const std::vector<SharedField>& all = plan.shared.fields;
  for (size_t i = 0; i < all.size(); ++i) {
    const SharedField& field = all[i];
    const std::string dims = bounds_of(field);
    const auto same_place = [&](size_t other) {
      return other < all.size() && field.overlay >= 0 && all[other].overlay == field.overlay;
    };
    const std::string align = field.align ? "alignas(" + std::to_string(field.alignment) + ") " : "";
    // Barriers with equal dims share a line.
    std::string names = field.name;
    while (field.is_barrier && field.type.empty() && field.overlay < 0 && i + 1 < all.size() && all[i + 1].is_barrier &&
           all[i + 1].type.empty() && all[i + 1].overlay < 0 && !all[i + 1].align && all[i + 1].dims == field.dims)
      names += dims + ", " + all[++i].name;
    fields.push_back({{"type", align + type_of(field)},
                      {"name", names},
                      {"dims", dims},
                      {"overlaid", field.overlay >= 0},
                      {"first", field.overlay >= 0 && !(i > 0 && same_place(i - 1))},
                      {"last", field.overlay >= 0 && !same_place(i + 1)}});
  }
  return {{"fields", fields}, {"alignment", plan.shared.alignment}, {"total", plan.shared.total}};
}

Json barriers_view(const Plan& plan) {
  Json barriers = Json::array();
  for (const BarrierPlan& barrier : plan.barriers)
    barriers.push_back({{"name", barrier.name}, {"count", barrier.count.text}});
  return barriers;
}

std::string cta_threads_text(const Plan& plan) {
  const std::string& threads = plan.launch.threads.text;
  return plan.launch.programs.value > 1 ? threads + " * " + plan.launch.programs.text : threads;
}

Json work_view(const Plan& plan) {
  const WorkPlan& work = plan.work;
  std::string along;
  for (const int axis : work.axes) {
    if (work.walk == TileWalk::strips && axis != work.strip_axis)
      along = plan.kernel->identifiers.of(plan.kernel->axes[axis].name);
  }
  const bool persistent = work.is_loop();
  const bool several = work.axes.size() > 1, listed = work.walk == TileWalk::listed;
  return {{"type", work.tiles_type},
          {"which", plan.launch.cluster.value > 1
                        ? "The tile of this cluster: number blockIdx.x / " + plan.launch.cluster.text
                    : plan.launch.programs.value > 1
                        ? "The tile of a program: number blockIdx.x * " + plan.launch.programs.text + " + threadIdx.y"
                    : !persistent                    ? "The tile of this CTA: number blockIdx.x"
                    : work.kind == WorkKind::dynamic ? "The order in which CTAs take tiles as they get free"
                    : listed                         ? "The tiles of this CTA: one of each gridDim.x, forth and back"
                                                     : "The tiles of this CTA: every gridDim.x-th"},
          {"strips", along},
          {"order", listed                                ? ": " + work.order_words
                    : !several                            ? ""
                    : work.walk == TileWalk::column_major ? ", column by column"
                                                          : ", row by row"}};
}

Json layouts_view(const Plan& plan) {
  Json layouts = Json::array();
  for (const LayoutName& layout : plan.layouts)
    layouts.push_back({{"name", layout.name}, {"text", layout.text}, {"comment", layout.comment}});
  return layouts;
}

Json functions_view(const Plan& plan) {
  Json functions = Json::array();
  for (const int id : plan.functions) {
    const Function& function = plan.kernel->functions[id];
    if (function.external) continue;
    std::vector<std::string> parameters;
    for (const auto& [name, dtype] : function.parameters)
      parameters.push_back(cpp_type(dtype) + " " + plan.kernel->identifiers.of(name));
    Spelling spelling = spelling_of(plan);
    spelling.local = [&](const LocalUse& local) {
      return Spelling::Name{plan.kernel->identifiers.of(function.parameters[local.id].first)};
    };
    const std::string signature = cpp_type(function.body->dtype) + " " + plan.kernel->identifiers.of(function.name) +
                                  "(" + joined(parameters, ", ") + ")";
    const std::string body = "return " + cpp_expression(function.body, spelling) + ";";
    const std::string line = fmt::format("__device__ {} {{ {} }}", signature, body);
    functions.push_back({{"signature", signature}, {"body", body}, {"one_line", line.size() <= size_t{kMaxColumns}}});
  }
  return functions;
}

// The user's header, if the kernel calls functions of it.
Json own_headers_view(const Plan& plan) {
  const bool calls = std::any_of(plan.functions.begin(), plan.functions.end(),
                                 [&](int id) { return plan.kernel->functions[id].external != nullptr; });
  return calls ? Json::array({plan.kernel->externs->include}) : Json::array();
}

Json parts_view(const Plan& plan, const Templates& templates, TemplateError& error, bool& failed) {
  Json parts = Json::array();
  for (const PartPlan& part : plan.parts) {
    const RolePlan& role = plan.roles[static_cast<size_t>(part.role)];
    std::vector<std::string> parameters;
    for (const PartPlan::Argument& argument : part.fragments) {
      const FragmentPlan& fragment = plan.fragments[static_cast<size_t>(argument.fragment)];
      parameters.push_back((argument.written ? "" : "const ") + fragment_type(fragment) + "& " + fragment.name);
    }
    for (const int scalar : part.scalars) {
      const ScalarValue& value = plan.scalars[static_cast<size_t>(scalar)];
      parameters.push_back(cpp_type(value.dtype) + " " + plan.kernel->identifiers.of(value.name));
    }
    if (!part.parameters.empty()) parameters.push_back(parameter_list(plan, part.parameters, Site::role));
    ProgramWriter writer(plan, role, templates, error);
    const std::string body = writer.write(part.program);
    failed = failed || writer.failed();
    parts.push_back(
        {{"name", part.name}, {"comment", part.comment}, {"parameters", joined(parameters, ", ")}, {"body", body}});
  }
  return parts;
}

// The register count that setmaxnreg sets for the role's threads; empty if they keep that of the launch.
std::string registers_text(const RolePlan& role) {
  return role.change == RegisterChange::none ? "" : role.registers.text;
}
const char* direction_text(const RolePlan& role) { return role.change == RegisterChange::down ? "down" : "up"; }

Json role_view(const Plan& plan, const RolePlan& role, const Templates& templates, TemplateError& error, bool& failed) {
  Json rings = Json::array();
  ProgramWriter writer(plan, role, templates, error);
  for (const int ring : writer.rings.cursors(role.rings))
    rings.push_back({{"name", plan.rings[ring].cursor}, {"slots", plan.rings[ring].slots.text}});
  for (const int store : role.stores)
    rings.push_back({{"name", plan.stores[store].name}, {"slots", plan.stores[store].buffers.text}});
  const std::string body = writer.write(role.program);
  failed = failed || writer.failed();
  const int first_group = role.first_warp / kWarpsPerWarpgroup;
  return {{"name", role.name},
          {"parameters", parameter_list(plan, role.parameters, Site::role)},
          {"arguments", argument_list(role.parameters)},
          {"registers", role.shares_group ? "" : registers_text(role)},
          {"direction", direction_text(role)},
          {"in_warp", role.shares_group},
          {"one_thread", role.run_by == Issuer::one_thread},
          {"one_warp", role.run_by == Issuer::one_warp},
          {"group", role.needs_group ? (first_group == 0 ? "warpgroup_index()"
                                                         : "warpgroup_index() - " + std::to_string(first_group))
                                     : ""},
          {"row0", role.needs_row0 ? (role.needs_group ? "wg * " + factor(role.rows_per_group) : "0") : ""},
          {"leader", role.needs_leader},
          {"first_lane", role.needs_first_lane},
          {"first_warp", role.needs_first_warp},
          {"thread", !needs_thread(role)    ? ""
                     : role.first_warp == 0 ? "threadIdx.x"
                                            : "threadIdx.x - " + std::to_string(32 * role.first_warp)},
          {"rings", rings},
          {"body", body}};
}

// Branches that select the role by warpgroup, and by warp where roles share one; the role that computes takes the rest.
Json choices_view(const Plan& plan, const Json& roles) {
  Json choices = Json::array(), rest;
  std::string before;
  std::map<int, size_t> branches;  // by warpgroup
  for (size_t i = 0; i < roles.size(); ++i) {
    const RolePlan& role = plan.roles[i];
    const int group = role.first_warp / kWarpsPerWarpgroup;
    const Json call = {
        {"warp", role.first_warp % kWarpsPerWarpgroup}, {"name", role.name}, {"arguments", roles[i]["arguments"]}};
    if (role.duties.computes) {
      rest = {{"shared", false}, {"name", role.name}, {"arguments", roles[i]["arguments"]}};
      continue;
    }
    const auto [branch, added] = branches.try_emplace(group, choices.size());
    if (!added) {
      choices[branch->second]["warps"].push_back(call);
      continue;
    }
    PALLASGEN_ASSERT(role.shares_group || role.warps == kWarpsPerWarpgroup, plan.kernel->span);
    choices.push_back({{"condition", fmt::format("{}if (warpgroup_index() == {})", before, group)},
                       {"shared", role.shares_group},
                       {"registers", role.shares_group ? registers_text(role) : ""},
                       {"direction", direction_text(role)},
                       {"warps", Json::array({call})},
                       {"name", role.name},
                       {"arguments", roles[i]["arguments"]}});
    before = role.shares_group ? "} else " : "else ";
  }
  if (choices.empty()) return choices;
  rest["condition"] = before.starts_with('}') ? "} else {" : "else";
  choices.push_back(std::move(rest));
  return choices;
}

}  // namespace

std::string listed(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string string_literal(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "\"";
}

Json file_view(const Plan& plan, const EmitOptions& options, const Templates& templates, TemplateError& error) {
  bool failed = false;
  Json roles = Json::array(), own_body = Json::array();
  for (const RolePlan& role : plan.roles) {
    Json& list = role.name.empty() ? own_body : roles;
    list.push_back(role_view(plan, role, templates, error, failed));
  }
  const Json parts = parts_view(plan, templates, error, failed);
  if (failed) return nullptr;
  const Json choices = choices_view(plan, roles);
  std::vector<std::string> prefetched;
  Json prefetched_if_any = Json::array();
  for (const TensorMapPlan& map : plan.maps) {
    if (map.may_be_empty)
      prefetched_if_any.push_back({{"name", map.name}});
    else
      prefetched.push_back(map.name);
  }
  Json view = {{"stem", options.stem},
               {"name", plan.kernel->name},
               {"runtime_version", kRuntimeVersion},
               {"facts", facts_view(plan)},
               {"constants", constants_view(plan)},
               {"checks", checks_text(plan)},
               {"faults", faults_view(plan)},
               {"fault_axes", joined(fault_axes(plan), ", ")},
               {"shared", shared_view(plan)},
               {"work", work_view(plan)},
               {"layouts", layouts_view(plan)},
               {"functions", functions_view(plan)},
               {"parts", parts},
               {"headers", Json(plan.headers)},
               {"own_headers", own_headers_view(plan)},
               {"roles", roles},
               {"bodies", own_body},
               {"choices", choices},
               {"warps_share", !choices.empty() && choices.front()["shared"].get<bool>()},
               {"barriers", barriers_view(plan)},
               {"prefetched", joined(prefetched, ", ")},
               {"prefetched_if_any", prefetched_if_any},
               {"kernel_parameters", parameter_list(plan, plan.launch.arguments, Site::kernel)},
               {"threads", cta_threads_text(plan)},
               {"least_ctas", plan.launch.least_ctas.value_or(1)},
               {"launch", launch_view(plan)},
               {"header", header_view(plan)}};
  // True if the file uses a type that only narrow.cuh declares.
  const std::string text = view.dump();
  view["narrow"] = false;
  for (const DType dtype : {DType::f8e4m3, DType::f8e5m2, DType::f8e8m0, DType::f4e2m1}) {
    if (has_word(text, cpp_type(dtype)) || has_word(text, memory_type(dtype))) view["narrow"] = true;
  }
  return view;
}

}  // namespace pallasgen
