// The JSON of statements that combine elements.
#include "fragments/reduction_strategy.h"
#include "report/plan_json.h"

namespace pallasgen {

using Json = nlohmann::ordered_json;
using namespace program;

namespace {

std::string name_of(Op op) { return std::string(operation(op).name); }
const std::string& tile_name(const Plan& plan, int field) {
  return plan.shared.fields[static_cast<size_t>(field)].name;
}
const std::string& scalar_name(const Plan& plan, int scalar) { return plan.scalars[static_cast<size_t>(scalar)].name; }
const std::string& fragment_name(const Plan& plan, int fragment) {
  return plan.fragments[static_cast<size_t>(fragment)].name;
}

}  // namespace

Json reduction_json(const Plan& plan, const ReduceFragment& node) {
  Json json = {{"do", "reduce_fragment"},
               {"target", fragment_name(plan, node.target)},
               {"source", fragment_name(plan, node.source)},
               {"op", name_of(node.op)},
               {"axis", node.axis}};
  if (node.strategy != ReduceStrategy::shuffle) json["strategy"] = word_of(node.strategy);
  if (node.field >= 0) json["tile"] = tile_name(plan, node.field);
  if (node.across) json["across"] = true;
  const char* const parts[] = {"all", "own", "lanes", "running", "picked"};
  if (node.part != ReducePart::all) json["part"] = parts[static_cast<int>(node.part)];
  if (node.part == ReducePart::picked) json["column"] = number_json(node.column);
  return json;
}

Json reduction_json(const Plan& plan, const ReduceLanes& node) {
  Json json = {{"do", "reduce_lanes"}, {"scalar", scalar_name(plan, node.total)}, {"op", name_of(node.op)}};
  if (node.position >= 0) json["position"] = scalar_name(plan, node.position);
  if (node.strategy != ReduceStrategy::shuffle) json["strategy"] = word_of(node.strategy);
  if (node.field >= 0) json["tile"] = tile_name(plan, node.field);
  if (node.positions >= 0) json["tile_of_positions"] = tile_name(plan, node.positions);
  return json;
}

Json reduction_json(const Plan& plan, const ReduceTile& node) {
  return {{"do", "reduce_tile"},
          {"tile", tile_name(plan, node.field)},
          {"op", name_of(node.op)},
          {"strategy", word_of(node.strategy)}};
}

Json reduction_json(const Plan& plan, const ScanLanes& node) {
  return {{"do", "scan_lanes"},
          {"scalar", scalar_name(plan, node.total)},
          {"before", scalar_name(plan, node.before)},
          {"op", name_of(node.op)}};
}

}  // namespace pallasgen
