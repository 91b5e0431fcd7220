#include "fragments/slot_loads.h"

#include <fmt/format.h>

#include <numeric>
#include <string>
#include <utility>

#include "expression/index_map.h"
#include "plan/words.h"
#include "program/index_terms.h"
#include "program/numbers.h"

namespace pallasgen::planning {

namespace {

const RingOperand& operand_of(const Plan& plan, int ring, int member) {
  return plan.rings[static_cast<size_t>(ring)].operands[static_cast<size_t>(member)];
}

}  // namespace

SlotPart part_of_slot(const FragmentValues& values, const Apply& part, const std::vector<Number>& sizes) {
  const IndexMap map = *index_map(part.attributes.items, part.args[0]->shape);
  SlotPart out{index_constant(0), number(1)};
  Number stride = number(1);
  for (size_t d = map.dims.size(); d-- > 0;) {
    const IndexMapDim& dim = map.dims[d];
    out.offset = add(out.offset, multiply(values.with_indices(dim.first), to_index(stride)));
    if (map.taken(d) > 1 && d + 1 < map.dims.size())
      out.pitch = dim.step == 1 ? stride : product(number(dim.step), stride);
    stride = product(sizes[d], stride);
  }
  return out;
}

program::Statement load_one_of_slot(const Plan& plan, int ring, int member, const TypedPtr& at, int scalar,
                                    bool declares, bool constant) {
  program::Binding from{};
  from.kind = program::SlotKind::shared;
  from.ring = ring;
  from.field = operand_of(plan, ring, member).field;
  from.index = {at};
  const SharedField& field = plan.shared.fields[static_cast<size_t>(from.field)];
  const TypedPtr element = make_typed({}, field.dtype, {}, LocalUse{0, field.name});
  return {"", false, program::SetScalar{scalar, element, {from}, declares, constant}};
}

program::LoadShared load_part_of_slot(const Draft& draft, FragmentValues& values, tile::ValueId value, int ring,
                                      int member, const SlotPart& part) {
  const Form& form = values.form(value);
  const TypedPtr row = values.groups().first_row(form), column = values.groups().first_column(form);
  TypedPtr offset = add(part.offset, row && form.kind == FormKind::matrix ? multiply(row, to_index(part.pitch)) : row);
  offset = simplify(add(offset, column));
  // A vector begins at a multiple of its length.
  int64_t together = std::gcd(form.vector, multiple_of(offset, draft.facts));
  if (part.pitch.value > 1) together = std::gcd(together, part.pitch.value);
  program::LoadShared load{values.fragment(value), ring, member, offset, number(together)};
  if (constant_value(offset) == 0) load.offset = nullptr;
  load.pitch = part.pitch;
  return load;
}

program::LoadShared load_whole_slot(FragmentValues& values, tile::ValueId value, int ring, int member) {
  const Form& form = values.form(value);
  const bool matrix = form.kind == FormKind::matrix;
  TypedPtr offset = values.groups().first_row(form);
  if (offset && matrix) offset = multiply(offset, to_index(values.columns(value)));
  const TypedPtr column = values.groups().first_column(form);
  program::LoadShared load{values.fragment(value), ring, member, add(offset, column), number(form.vector)};
  if (column && matrix) load.pitch = values.columns(value);
  return load;
}

namespace {

// Returns how many entries the branch clears; 0: it does something else.
size_t cleared_by(const program::If& branch) {
  size_t count = 0;
  while (count < branch.then.size() && std::holds_alternative<program::ClearRows>(branch.then[count].node)) ++count;
  return count;
}

std::string comment_of_cleared(const Plan& plan, const program::If& branch) {
  std::vector<std::string> names;
  for (size_t i = 0; i < cleared_by(branch); ++i) {
    const auto& cleared = std::get<program::ClearRows>(branch.then[i].node);
    names.push_back(operand_of(plan, cleared.ring, cleared.operand).name);
  }
  return names.size() == 1
             ? fmt::format("the slice of {} ends before its block: the rest becomes 0 ...", names[0])
             : fmt::format("the slices of {} end before their blocks: the rest becomes 0 ...", listed(names));
}

}  // namespace

void clear_slot(const Plan& plan, int ring, int member, const TypedPtr& rows, program::Statements& out) {
  const TypedPtr condition =
      apply({}, Op::less, DType::boolean, {}, {rows, to_index(operand_of(plan, ring, member).extent)});
  program::If* branch = out.empty() ? nullptr : std::get_if<program::If>(&out.back().node);
  if (!branch || cleared_by(*branch) == 0 || !equal(branch->condition, condition)) {
    out.push_back({"", false, program::If{condition, {}, {}}});
    branch = &std::get<program::If>(out.back().node);
    branch->then.push_back({"... the tensor cores see it ...", false, program::FenceAsync{}});
    branch->then.push_back({"... and what all others did", false, program::RoleSync{}});
  }
  const auto end = branch->then.begin() + static_cast<std::ptrdiff_t>(cleared_by(*branch));
  branch->then.insert(end, {"", false, program::ClearRows{ring, member, rows}});
  branch->then.front().comment = comment_of_cleared(plan, *branch);
}

}  // namespace pallasgen::planning
