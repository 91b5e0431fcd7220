#include "driver/decisions_as_planned.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "homes/homes.h"
#include "model/counts.h"
#include "plan/words.h"

namespace pallasgen {

namespace {

// The unit's copies that move an array from or to shared memory.
std::string unit_words(const Plan& plan, const ThreadAccess& access) {
  for (const RingPlan& ring : plan.rings) {
    for (const RingOperand& operand : ring.operands) {
      if (access.reads && operand.ref == access.ref && operand.path == CopyPath::bulk) return "bulk copies";
    }
  }
  return "tensor copies";
}

bool is_copied_async(const Plan& plan, int ref) {
  return std::any_of(plan.rings.begin(), plan.rings.end(), [&](const RingPlan& ring) {
    return std::any_of(ring.operands.begin(), ring.operands.end(), [&](const RingOperand& operand) {
      return operand.ref == ref && operand.path == CopyPath::async;
    });
  });
}

std::string words_of(const Plan& plan, const ThreadAccess& access) {
  if (access.by == AccessBy::unit) return unit_words(plan, access);
  const int bits = info(plan.kernel->refs[static_cast<size_t>(access.ref)].dtype).bits;
  const std::string elements = counted(std::llround(access.bytes * 8 / bits), "element");
  if (access.by == AccessBy::copy && is_copied_async(plan, access.ref)) return "cp.async, " + elements;
  return elements + " at a time";
}

bool has_place(const Plan& plan, const std::string& value) {
  const std::string name = plan.kernel->identifiers.of(value);
  return std::any_of(plan.shared.fields.begin(), plan.shared.fields.end(),
                     [&](const SharedField& field) { return field.name == value || field.name == name; });
}

}  // namespace

void correct_decisions(Draft& draft) {
  Plan& plan = draft.plan;
  std::map<std::string, std::set<std::string>> moves;  // by subject of a decision: the accesses, in words
  const CountedTile counted = count_tile(plan, Example(*plan.kernel, *plan.target));
  for (const ThreadAccess& access : counted.accesses)
    moves["copies of " + draft.ref(access.ref).name].insert(words_of(plan, access));
  // Nothing moves of an array without elements.
  for (const Ref& ref : plan.kernel->refs) {
    const bool empty = std::any_of(ref.array_shape.begin(), ref.array_shape.end(),
                                   [](const TypedPtr& extent) { return constant_value(extent) == 0; });
    const std::string subject = "copies of " + ref.name;
    if (empty && moves.count(subject) == 0)
      std::erase_if(plan.decisions, [&](const Decision& decision) { return decision.subject == subject; });
  }
  const tile::Decision placed = by_elements("", "");
  for (Decision& decision : plan.decisions) {
    const auto done = moves.find(decision.subject);
    // The decision of a ring gives the width in bytes for each operand.
    const bool of_ring = decision.choice.find("byte") != std::string::npos;
    if (done != moves.end() && !of_ring && done->second != std::set<std::string>{decision.choice}) {
      if (done->second.count(decision.choice) == 0) decision.reason = "the statements take it so";
      decision.choice = joined({done->second.begin(), done->second.end()}, " and ");
    }
    if (decision.choice == placed.choice && !has_place(plan, decision.subject))
      decision.choice = "element by element, where it is used";
  }
}

}  // namespace pallasgen
