#include "program/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/rules.h"
#include "plan/words.h"
#include "program/program_walk.h"
#include "program/shared_scopes.h"
#include "program/spec_names.h"

namespace pallasgen {

namespace {

void renumber(program::Statements& statements, const std::vector<int>& renumbered) {
  for (program::Statement& statement : statements) {
    for_each_field(statement, [&](int& field) { field = renumbered[field]; });
    for (program::Statements* body : bodies_of(statement)) renumber(*body, renumbered);
  }
}

// Renumbers the fields that the plan names outside the roles' programs.
void renumber(Plan& plan, const std::vector<int>& renumbered) {
  for (RingPlan& ring : plan.rings) {
    for (RingOperand& operand : ring.operands) {
      if (operand.field >= 0) operand.field = renumbered[operand.field];
    }
  }
  for (StorePlan& store : plan.stores) store.field = renumbered[store.field];
  for (BarrierPlan& barrier : plan.barriers) barrier.field = renumbered[barrier.field];
  if (plan.work.queue >= 0) plan.work.queue = renumbered[plan.work.queue];
  for (RolePlan& role : plan.roles) renumber(role.program, renumbered);
}

}  // namespace

int add_field(Draft& draft, SharedField field) {
  int64_t elements = 1;
  for (const Number& dim : field.dims) elements *= dim.value;
  // A 4-bit element of a tile takes a whole byte, so that threads store their elements independently.
  const int64_t element_bytes = std::max<int64_t>(1, info(field.dtype).bits / 8);
  if (field.type.empty()) field.bytes = elements * (field.is_barrier ? kBarrierBytes : element_bytes);
  draft.plan.shared.fields.push_back(std::move(field));
  return static_cast<int>(draft.plan.shared.fields.size()) - 1;
}

void remove_fields(Draft& draft, program::Statements& statements, const std::set<int>& gone) {
  std::vector<int> renumbered;
  std::vector<SharedField> kept;
  for (size_t field = 0; field < draft.plan.shared.fields.size(); ++field) {
    renumbered.push_back(static_cast<int>(kept.size()));
    if (gone.count(static_cast<int>(field)) == 0) kept.push_back(std::move(draft.plan.shared.fields[field]));
  }
  draft.plan.shared.fields = std::move(kept);
  renumber(statements, renumbered);
  renumber(draft.plan, renumbered);
}

void plan_memory(Draft& draft) {
  SharedMemory& shared = draft.plan.shared;
  if (shared.fields.empty()) return;
  std::vector<std::vector<int>> places = places_of(shared);
  const auto alignment = [&](const std::vector<int>& place) {
    int64_t most = 1;
    for (int field : place) most = std::max(most, shared.fields[field].alignment);
    return most;
  };
  // Sizes are multiples of their alignments, so descending alignment leaves no gaps.
  std::stable_sort(places.begin(), places.end(), [&](const std::vector<int>& a, const std::vector<int>& b) {
    const bool first = shared.fields[a.front()].is_barrier, second = shared.fields[b.front()].is_barrier;
    return first != second ? second : !first && alignment(a) > alignment(b);
  });
  std::vector<int> renumbered(shared.fields.size());
  std::vector<SharedField> fields;
  int64_t offset = 0, used = 0;
  shared.alignment = kBarrierBytes;
  for (const std::vector<int>& place : places) {
    const int64_t aligned = round_up(offset, alignment(place)), bytes = bytes_of(shared, place);
    for (int index : place) {
      SharedField field = shared.fields[index];
      renumbered[index] = static_cast<int>(fields.size());
      field.align = offset != aligned && index == place.front();
      if (field.align) field.alignment = alignment(place);
      field.offset = aligned;
      fields.push_back(std::move(field));
    }
    offset = aligned + bytes;
    used += bytes;
    shared.alignment = std::max(shared.alignment, alignment(place));
  }
  shared.fields = std::move(fields);
  shared.total = round_up(offset, shared.alignment);
  shared.padding = shared.total - used;
  renumber(draft.plan, renumbered);
}

bool check_memory(Draft& draft, Span span, const std::string& fits, const std::vector<std::string>& remedies) {
  const SharedMemory& shared = draft.plan.shared;
  if (shared.total <= shared.limit) return true;
  std::vector<std::string> parts;
  int64_t rest = shared.padding;
  std::set<int> slots;  // fields with one block per slot
  for (const RingPlan& ring : draft.plan.rings) {
    for (const RingOperand& operand : ring.operands) slots.insert(operand.field);
  }
  for (const StorePlan& store : draft.plan.stores) slots.insert(store.field);
  for (const std::vector<int>& place : places_of(shared)) {
    const SharedField& field = shared.fields[place.front()];
    if (field.is_barrier) {
      rest += field.bytes;
    } else if (slots.count(place.front()) > 0 && field.dims.size() == 2) {
      parts.push_back(
          fmt::format("{} {} x {}", field.purpose, field.dims[0].value, grouped(field.bytes / field.dims[0].value)));
    } else {
      parts.push_back(fmt::format("{} {}", purpose_of(shared, place), grouped(bytes_of(shared, place))));
    }
  }
  if (rest > 0) parts.push_back(fmt::format("barriers and padding {}", grouped(rest)));
  std::string sum = parts.front();
  for (size_t i = 1; i < parts.size(); ++i) sum += ", " + parts[i];
  if (!fits.empty()) sum += "; " + fits;
  Diagnostic& refusal = draft.refuse(
      kPlanSharedMemory, span,
      fmt::format("needs {} of {} bytes of shared memory: {}", grouped(shared.total), grouped(shared.limit), sum));
  for (const std::string& remedy : remedies) refusal.note(remedy);
  return false;
}

int64_t most_stages(const Plan& plan) {
  int64_t most = 1;
  for (const RingPlan& ring : plan.rings) most = std::max(most, ring.slots.value);
  return most;
}

std::vector<std::string> memory_remedies(const Plan& plan) {
  const SharedField* largest = nullptr;
  for (const SharedField& field : plan.shared.fields) {
    if (!largest || field.bytes > largest->bytes) largest = &field;
  }
  if (!largest) return {};
  return {fmt::format("smaller blocks need less: '{}' alone takes {} bytes",
                      name_in_spec(*plan.kernel, largest->purpose), grouped(largest->bytes))};
}

}  // namespace pallasgen
