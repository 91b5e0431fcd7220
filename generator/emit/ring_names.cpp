#include "ring_names.h"

namespace pallasgen {

using View = nlohmann::ordered_json;

RingNames::RingNames(const Plan& plan, const program::Statements& statements) : plan_(plan) {
  for_each_statement(statements, [this](const program::Statement& statement) {
    const auto* release = std::get_if<program::Release>(&statement.node);
    if (release && release->when != program::ReleaseWhen::now) keeps_previous_.insert(release->ring);
  });
}

std::string RingNames::slot(int ring) const {
  return scope_.slots.count(ring) > 0 ? plan_.rings[ring].slot_name : plan_.rings[ring].cursor + ".slot";
}

std::string RingNames::field_of(int ring, int field) const {
  return "smem." + plan_.shared.fields[field].name + "[" + slot(ring) + "]";
}

const RingOperand* RingNames::operand_in(int ring, int field) const {
  for (const RingOperand& operand : plan_.rings[ring].operands) {
    if (operand.field == field) return &operand;
  }
  return nullptr;
}

std::string RingNames::full(int ring) const { return field_of(ring, plan_.barriers[plan_.rings[ring].full].field); }

std::string RingNames::previous(int ring) const {
  return plan_.rings.size() == 1 ? "previous" : "previous_" + plan_.rings[ring].slot_name;
}

std::vector<int> RingNames::cursors(const std::vector<int>& rings) const {
  std::vector<int> found;
  std::set<std::string> known;
  for (const int ring : rings) {
    if (known.insert(plan_.rings[ring].cursor).second) found.push_back(ring);
  }
  return found;
}

std::string RingNames::advances(const std::vector<int>& rings) const {
  std::string text;
  for (const int ring : cursors(rings)) text += ", " + plan_.rings[ring].cursor + ".advance()";
  return text;
}

std::string RingNames::slots(const std::vector<int>& rings) const {
  std::string text;
  for (const int ring : cursors(rings))
    text += (text.empty() ? "" : ", ") + plan_.rings[ring].slot_name + " = " + plan_.rings[ring].cursor + ".slot";
  return text.empty() ? "" : "const int " + text + ";";
}

View RingNames::kept(const std::vector<int>& rings) const {
  View list = View::array();
  for (const int ring : rings) {
    if (keeps_previous_.count(ring) > 0)
      list.push_back({{"name", previous(ring)}, {"slot", plan_.rings[ring].slot_name}});
  }
  return list;
}

View RingNames::declare_kept(const std::vector<int>& rings) {
  View list = View::array();
  for (const int ring : rings) {
    if (keeps_previous_.count(ring) > 0 && scope_.previous.insert(ring).second)
      list.push_back({{"name", previous(ring)}});
  }
  return list;
}

}  // namespace pallasgen
