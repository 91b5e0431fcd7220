#include "report/plan_json.h"

#include "plan/interface.h"
#include "plan/passes.h"
#include "plan/words.h"

namespace pallasgen {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kProjection = 1;  // raised when a key goes away or changes its meaning

Json numbers_json(const std::vector<Number>& numbers) {
  Json list = Json::array();
  for (const Number& number : numbers) list.push_back(number_json(number));
  return list;
}

Json constants_json(const Plan& plan) {
  Json list = Json::array();
  for (const PlanConstant& constant : plan.constants) {
    Json json = {{"name", constant.name}, {"value", constant.value}, {"type", constant.type}};
    if (constant.real) json["value"] = *constant.real;
    if (!constant.formula.empty()) json["formula"] = constant.formula;
    list.push_back(std::move(json));
  }
  return list;
}

Json work_json(const Plan& plan) {
  const WorkPlan& work = plan.work;
  Json json = {{"kind", work.kind == WorkKind::static_persistent ? "static_persistent"
                        : work.kind == WorkKind::dynamic         ? "dynamic"
                                                                 : "one_per_cta"},
               {"walk", work.walk == TileWalk::strips         ? "strips"
                        : work.walk == TileWalk::listed       ? "listed"
                        : work.walk == TileWalk::column_major ? "column_major"
                                                              : "row_major"},
               {"axes", axis_names(plan, work.axes)},
               {"sequential", axis_names(plan, work.sequential)},
               {"tile", numbers_json(work.tile)}};
  if (work.walk == TileWalk::strips) {
    json["strip_axis"] = plan.kernel->axes[work.strip_axis].name;
    json["strip_width"] = number_json(work.strip_width);
  }
  for (const TileOrderPart& part : work.order) {
    Json entry = {{"axis", plan.kernel->axes[part.axis].name}};
    if (part.width > 0) entry["width"] = part.width;
    if (part.reversed) entry["reversed"] = true;
    json["order"].push_back(std::move(entry));
  }
  return json;
}

Json memory_json(const Plan& plan) {
  Json fields = Json::array();
  for (const SharedField& field : plan.shared.fields) {
    fields.push_back(
        {{"name", field.name},
         {"dtype", field.is_barrier ? "barrier" : std::string(name_of(field.dtype)) + (field.packed ? "x2" : "")},
         {"dims", numbers_json(field.dims)},
         {"offset", field.offset},
         {"bytes", field.bytes}});
  }
  return {{"fields", std::move(fields)},
          {"alignment", plan.shared.alignment},
          {"padding", plan.shared.padding},
          {"total", plan.shared.total},
          {"limit", plan.shared.limit}};
}

Json rings_json(const Plan& plan) {
  Json list = Json::array();
  for (const RingPlan& ring : plan.rings) {
    Json operands = Json::array();
    for (const RingOperand& operand : ring.operands) {
      Json json = {{"path", operand.way}};
      if (operand.ref < 0)
        json["value"] = operand.name;
      else
        json["ref"] = plan.kernel->refs[operand.ref].name;
      if (operand.path == CopyPath::tensor)
        json.update({{"map", plan.maps[operand.map].name},
                     {"swizzle", swizzle_bytes(operand.swizzle)},
                     {"major", operand.major == Major::k    ? "k"
                               : operand.major == Major::mn ? "mn"
                                                            : "none"},
                     {"coordinates", expressions_json(operand.coordinates)},
                     {"slabs", number_json(operand.column_boxes)},
                     {"row_boxes", number_json(operand.row_boxes)}});
      json["bytes"] = number_json(operand.bytes);
      operands.push_back(std::move(json));
    }
    Json json = {{"name", ring.name},
                 {"slots", number_json(ring.slots)},
                 {"bytes", number_json(ring.bytes)},
                 {"moves_on", axis_names(plan, ring.moves_on)},
                 {"delay", ring.delay},
                 {"path", ring.path}};
    if (ring.full >= 0)
      json["full"] = plan.barriers[ring.full].name;
    else
      json["ahead"] = number_json(ring.ahead);
    if (ring.empty >= 0) json["empty"] = plan.barriers[ring.empty].name;
    json["operands"] = std::move(operands);
    list.push_back(std::move(json));
  }
  return list;
}

Json maps_json(const Plan& plan) {
  Json list = Json::array();
  for (const TensorMapPlan& map : plan.maps) {
    list.push_back({{"name", map.name},
                    {"ref", plan.kernel->refs[map.ref].name},
                    {"extents", expressions_json(map.extents)},
                    {"box", numbers_json(map.box)},
                    {"swizzle", swizzle_bytes(map.swizzle)},
                    {"store", map.is_store},
                    {"may_be_empty", map.may_be_empty}});
  }
  return list;
}

Json barriers_json(const Plan& plan) {
  Json list = Json::array();
  for (const BarrierPlan& barrier : plan.barriers) {
    Json json = {{"name", barrier.name}, {"slots", number_json(barrier.slots)}, {"count", number_json(barrier.count)}};
    if (barrier.tx_bytes) json["bytes"] = number_json(*barrier.tx_bytes);
    json["arrived_by"] = barrier.arrived_by;
    json["waited_by"] = barrier.waited_by;
    json["means"] = barrier.means;
    list.push_back(std::move(json));
  }
  return list;
}

Json fragments_json(const Plan& plan) {
  Json list = Json::array();
  for (const FragmentPlan& fragment : plan.fragments) {
    list.push_back({{"name", fragment.name},
                    {"dtype", name_of(fragment.dtype)},
                    {"layout", fragment.layout.name},
                    {"shape", fragment.layout.shape},
                    {"registers", registers_per_thread(fragment.layout)},
                    {"text", fragment.layout_text}});
  }
  return list;
}

Json layouts_json(const Plan& plan) {
  Json list = Json::array();
  for (const LayoutName& layout : plan.layouts) list.push_back({{"name", layout.name}, {"text", layout.text}});
  return list;
}

Json parts_json(const Plan& plan) {
  Json list = Json::array();
  for (const PartPlan& part : plan.parts) {
    Json fragments = Json::array();
    for (const PartPlan::Argument& argument : part.fragments)
      fragments.push_back({{"fragment", plan.fragments[argument.fragment].name}, {"written", argument.written}});
    Json values = Json::array();
    for (const int scalar : part.scalars) values.push_back(plan.scalars[scalar].name);
    for (const Parameter& parameter : part.parameters) values.push_back(parameter.name);
    list.push_back({{"name", part.name},
                    {"places", part.places},
                    {"fragments", std::move(fragments)},
                    {"values", std::move(values)},
                    {"program", statements_json(plan, part.program)}});
  }
  return list;
}

Json stores_json(const Plan& plan) {
  Json list = Json::array();
  for (const StorePlan& store : plan.stores) {
    list.push_back({{"name", store.name},
                    {"ref", plan.kernel->refs[store.ref].name},
                    {"groups", number_json(store.groups)},
                    {"buffers", number_json(store.buffers)},
                    {"rows", number_json(store.rows)},
                    {"columns", number_json(store.columns)},
                    {"swizzle", swizzle_bytes(store.swizzle)}});
    if (store.ring >= 0) list.back()["ring"] = plan.rings[store.ring].name;
  }
  return list;
}

Json roles_json(const Plan& plan) {
  Json list = Json::array();
  for (const RolePlan& role : plan.roles) {
    list.push_back({{"name", role.name},
                    {"purpose", role.purpose},
                    {"first_warp", role.first_warp},
                    {"warps", role.warps},
                    {"setmaxnreg", role.change == RegisterChange::none ? Json() : number_json(role.registers)},
                    {"registers_needed", role.registers_needed},
                    {"program", statements_json(plan, role.program)}});
  }
  return list;
}

Json decisions_json(const Plan& plan) {
  Json list = Json::array();
  for (const Decision& decision : plan.decisions)
    list.push_back({{"subject", decision.subject}, {"choice", decision.choice}, {"reason", decision.reason}});
  return list;
}

Json requirements_json(const Plan& plan) {
  Json list = Json::array();
  for (const Requirement& requirement : plan.launch.requirements) list.push_back(requirement.message);
  return list;
}

}  // namespace

Json number_json(const Number& number) {
  if (number.text == std::to_string(number.value)) return number.value;
  return {{"value", number.value}, {"text", number.text}};
}

Json expression_json(const TypedPtr& expr) { return expr ? Json(to_string(expr)) : Json(); }

Json expressions_json(const std::vector<TypedPtr>& list) {
  Json json = Json::array();
  for (const TypedPtr& expr : list) json.push_back(expression_json(expr));
  return json;
}

std::string plan_json(const Plan& plan) {
  Json sizes = Json::array();
  for (const LaunchSize& size : plan.launch.sizes)
    sizes.push_back({{"name", size.name}, {"value", expression_json(size.value)}});
  const Json json = {{"pallasgen_plan", kProjection},
                     {"kernel", plan.kernel->name},
                     {"target", plan.target->name},
                     {"interface", interface_json(plan)},
                     {"constants", constants_json(plan)},
                     {"work", work_json(plan)},
                     {"launch",
                      {{"threads", number_json(plan.launch.threads)},
                       {"least_ctas", plan.launch.least_ctas.value_or(1)},
                       {"persistent", plan.launch.persistent},
                       {"cluster", number_json(plan.launch.cluster)},
                       {"programs", number_json(plan.launch.programs)},
                       {"sizes", std::move(sizes)},
                       {"empty_when", expressions_json(plan.launch.empty_when)},
                       {"requirements", requirements_json(plan)}}},
                     {"shared_memory", memory_json(plan)},
                     {"maps", maps_json(plan)},
                     {"rings", rings_json(plan)},
                     {"barriers", barriers_json(plan)},
                     {"stores", stores_json(plan)},
                     {"layouts", layouts_json(plan)},
                     {"parts", parts_json(plan)},
                     {"fragments", fragments_json(plan)},
                     {"roles", roles_json(plan)},
                     {"decisions", decisions_json(plan)}};
  return json.dump(2) + "\n";
}

nlohmann::ordered_json access_json(const Plan& plan, const program::Access& access) {
  nlohmann::ordered_json dims = nlohmann::ordered_json::array();
  for (const program::AccessDim& dim : access.dims) {
    dims.push_back({{"offset", expression_json(dim.offset)},
                    {"extent", expression_json(dim.extent)},
                    {"fragment_dim", dim.fragment_dim},
                    {"may_pass_end", dim.may_pass_end}});
  }
  return {{"ref", plan.kernel->refs[access.ref].name},
          {"vector", number_json(access.vector)},
          {"masked", access.masked},
          {"reason", access.reason},
          {"dims", std::move(dims)}};
}

}  // namespace pallasgen
