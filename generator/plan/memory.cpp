#include "memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "program_walk.h"

namespace pallasgen {

namespace {

int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

void renumber(program::Statements& statements, const std::vector<int>& renumbered) {
  for (program::Statement& statement : statements) {
    for_each_field(statement, [&](int& field) { field = renumbered[field]; });
    for (program::Statements* body : bodies_of(statement)) renumber(*body, renumbered);
  }
}

// What the plan beside the roles' programs names by the numbers of fields.
void renumber(Plan& plan, const std::vector<int>& renumbered) {
  for (RingPlan& ring : plan.rings) {
    for (RingOperand& operand : ring.operands) operand.field = renumbered[operand.field];
  }
  for (StorePlan& store : plan.stores) store.field = renumbered[store.field];
  for (BarrierPlan& barrier : plan.barriers) barrier.field = renumbered[barrier.field];
  for (RolePlan& role : plan.roles) renumber(role.program, renumbered);
}

}  // namespace

int add_field(Draft& draft, SharedField field) {
  int64_t elements = 1;
  for (const Number& dim : field.dims) elements *= dim.value;
  // In tiles an element of 4 bits takes a byte, so that threads store without regard for each other.
  const int64_t element_bytes = std::max<int64_t>(1, info(field.dtype).bits / 8);
  field.bytes = elements * (field.is_barrier ? kBarrierBytes : element_bytes);
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
  std::vector<int> order(shared.fields.size());
  std::iota(order.begin(), order.end(), 0);
  // Sizes are multiples of their alignments, so descending alignment leaves no gaps.
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) {
    const SharedField &a = shared.fields[x], &b = shared.fields[y];
    if (a.is_barrier != b.is_barrier) return b.is_barrier;
    return !a.is_barrier && a.alignment > b.alignment;
  });
  std::vector<int> renumbered(order.size());
  std::vector<SharedField> fields;
  int64_t offset = 0;
  shared.alignment = kBarrierBytes;
  for (size_t i = 0; i < order.size(); ++i) {
    SharedField field = shared.fields[order[i]];
    renumbered[order[i]] = static_cast<int>(i);
    field.align = offset % field.alignment != 0;
    offset = round_up(offset, field.alignment);
    field.offset = offset;
    offset += field.bytes;
    shared.alignment = std::max(shared.alignment, field.alignment);
    fields.push_back(std::move(field));
  }
  shared.fields = std::move(fields);
  shared.total = round_up(offset, shared.alignment);
  shared.padding = shared.total;
  for (const SharedField& field : shared.fields) shared.padding -= field.bytes;
  renumber(draft.plan, renumbered);
}

bool check_memory(Draft& draft, Span span, const std::string& fits, const std::vector<std::string>& remedies) {
  const SharedMemory& shared = draft.plan.shared;
  if (shared.total <= shared.limit) return true;
  std::vector<std::string> parts;
  int64_t rest = shared.padding;
  std::set<int> slots;  // fields of so many blocks in turn
  for (const RingPlan& ring : draft.plan.rings) {
    for (const RingOperand& operand : ring.operands) slots.insert(operand.field);
  }
  for (const StorePlan& store : draft.plan.stores) slots.insert(store.field);
  for (size_t i = 0; i < shared.fields.size(); ++i) {
    const SharedField& field = shared.fields[i];
    if (field.is_barrier) {
      rest += field.bytes;
    } else if (slots.count(static_cast<int>(i)) > 0 && field.dims.size() == 2) {
      parts.push_back(
          fmt::format("{} {} x {}", field.purpose, field.dims[0].value, grouped(field.bytes / field.dims[0].value)));
    } else {
      parts.push_back(fmt::format("{} {}", field.purpose, grouped(field.bytes)));
    }
  }
  if (rest > 0) parts.push_back(fmt::format("barriers and padding {}", grouped(rest)));
  std::string sum = parts.front();
  for (size_t i = 1; i < parts.size(); ++i) sum += ", " + parts[i];
  if (!fits.empty()) sum += "; " + fits;
  Diagnostic& refusal = draft.refuse(
      kPlanSharedMemory, span,
      fmt::format("needs {} of {} bytes of shared memory: {}", grouped(shared.total), grouped(shared.limit), sum));
  for (const std::string& remedy : remedies) refusal.note(remedy + " works");
  return false;
}

}  // namespace pallasgen
