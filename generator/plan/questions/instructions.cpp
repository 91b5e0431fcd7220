#include "questions/instructions.h"

#include <fmt/format.h>

#include <numeric>

#include "diagnostics/assert.h"
#include "infer/fma.h"
#include "program/numbers.h"
#include "proofs/tensor_copies.h"
#include "questions/families.h"
#include "questions/forms.h"
#include "tile/walk.h"

namespace pallasgen {

using program::Accumulate;

std::optional<MmaOperands> mma_operands(const tile::Role& role, const tile::Dot& dot) {
  std::map<int, tile::Entry> got;
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (const auto* get = statement.as<tile::Get>()) got[get->value.index] = get->entry;
  });
  const Apply& product = *dot.product->as<Apply>();
  const auto *a = product.args[0]->as<LocalUse>(), *b = product.args[1]->as<LocalUse>();
  if (!a || !b || !got.count(b->id)) return std::nullopt;
  if (got.count(a->id)) return MmaOperands{got.at(a->id), got.at(b->id)};
  return product.attributes.trans_a ? std::nullopt : std::optional(MmaOperands{{}, got.at(b->id), {a->id}});
}

bool lies_swizzled(const Target& target, const Apply& product, size_t operand) {
  const FmaOperand lies = fma_operand(product, operand);
  return operand == 1 && lies.along_k && widest_swizzle(target, product.args[operand]->shape.back() * lies.bytes) > 0;
}

std::map<std::pair<int, int>, SlotLayout> slot_layouts(const Target& target, const tile::Program& program) {
  std::map<std::pair<int, int>, SlotLayout> out;
  for (const tile::Role& role : program.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* dot = statement.as<tile::Dot>();
      if (!dot || dot->family.empty()) return;
      const std::optional<MmaOperands> operands = mma_operands(role, *dot);
      if (!operands || (dot->by->reads_tiles() && !lies_swizzled(target, *dot->product->as<Apply>(), 1))) return;
      const OpAttributes& attributes = dot->product->as<Apply>()->attributes;
      // `part`: every warpgroup's columns begin at a multiple of it.
      const auto lie = [&](const tile::Entry& entry, Major major, int64_t part) {
        const tile::Channel::Member& member = program.channel(entry.channel).members[static_cast<size_t>(entry.member)];
        const int64_t row = std::gcd(member.shape.back(), part) * info(member.dtype).bits / 8;
        const SlotLayout layout{swizzle_of(widest_swizzle(target, row)), major,
                                attributes.precision == "tf32" && dot->by->reads_slots()};
        const auto [known, added] = out.try_emplace({entry.channel.index, entry.member}, layout);
        if (added) return;
        const bool narrower = swizzle_bytes(layout.swizzle) < swizzle_bytes(known->second.swizzle);
        const Swizzle swizzle = narrower ? layout.swizzle : known->second.swizzle;
        known->second = {swizzle, layout.major, layout.tf32 || known->second.tf32};
      };
      if (dot->by->reads_tiles()) return lie(operands->b, Major::k, 0);
      const DotShape shape = shape_of(program, role, *dot);
      const bool across = is_across(shape, target);
      if (operands->a) lie(*operands->a, shape.major_a, 0);
      lie(operands->b, shape.major_b, across && shape.major_b == Major::mn ? shape.columns / shape.warpgroups : 0);
    });
  }
  return out;
}

std::set<std::pair<int, int>> loaded_as_operands(const tile::Program& program) {
  std::set<std::pair<int, int>> found;
  for (const tile::Role& role : program.roles) {
    std::map<int, tile::Entry> got;
    std::vector<std::pair<tile::ValueId, tile::Entry>> loads;
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      if (const auto* get = statement.as<tile::Get>()) got[get->value.index] = get->entry;
      const auto* assign = statement.as<tile::Assign>();
      const auto value = assign ? tile::loaded_by(program, *assign) : std::nullopt;
      const auto entry = value ? got.find(value->index) : got.end();
      if (entry != got.end()) loads.emplace_back(assign->value, entry->second);
    });
    if (loads.empty()) continue;
    const Forms forms(program, role);
    for (const auto& [value, entry] : loads) {
      const std::optional<Form> form = forms.of(value);
      if (form && form->kind == FormKind::matrix && forms.by_instructions(*form))
        found.insert({entry.channel.index, entry.member});
    }
  }
  return found;
}

DotShape shape_of(const tile::Program& program, const tile::Role& role, const tile::Dot& dot) {
  const Apply& product = *dot.product->as<Apply>();
  const DotSides of = sides_of(product);
  DotShape shape{
      of.m, of.n, of.k, role.warps / dot.by->warps(), product.args[0]->dtype, program.value(dot.value).dtype};
  shape.major_a = product.attributes.trans_a ? Major::mn : Major::k;
  shape.major_b = product.attributes.trans_b ? Major::k : Major::mn;
  const std::optional<MmaOperands> operands = mma_operands(role, dot);
  shape.a_in_registers = operands && !operands->a;
  return shape;
}

namespace {

// The axes whose first step is, at the same time for all, the step in which a dot with this condition does not add, as
// in `accumulate h > 0 or k > 0`; empty if the condition has another form.
std::vector<int> first_steps_of(const TypedPtr& accumulate) {
  if (const Apply* any = accumulate->applies(Op::logical_or)) {
    std::vector<int> axes = first_steps_of(any->args[0]), inner = first_steps_of(any->args[1]);
    if (axes.empty() || inner.empty()) return {};
    axes.insert(axes.end(), inner.begin(), inner.end());
    return axes;
  }
  const Apply* later = accumulate->applies(Op::greater);
  const Symbol* step = later ? later->args[0]->as<Symbol>() : nullptr;
  const bool is_first = step && step->kind == SymbolKind::axis && constant_value(later->args[1]) == 0;
  return is_first ? std::vector{step->id} : std::vector<int>();
}

}  // namespace

std::optional<Accumulate> accumulation(const tile::Dot& dot) {
  if (!dot.start) return dot.accumulate ? std::nullopt : std::optional(Accumulate::not_first_mma);
  if (!dot.accumulate) return Accumulate::always;
  const bool known = !starts_from_another(dot) && !first_steps_of(dot.accumulate).empty();
  return known ? std::optional(Accumulate::not_first_step) : std::nullopt;
}

bool starts_from_another(const tile::Dot& dot) {
  const auto* start = dot.start ? dot.start->as<LocalUse>() : nullptr;
  return dot.start && (!start || start->id != dot.value.index);
}

program::Mma mma_of(Draft& draft, const tile::Dot& dot, const MmaPlace& place, const MmaOperands& operands,
                    const MmaNumbers& numbers) {
  const MmaFamily* family = find_family(*draft.target, dot.family);
  PALLASGEN_ASSERT(family, dot.product->span);
  if (!family->header.empty()) draft.plan.headers.emplace(family->header);
  draft.plan.fragments[static_cast<size_t>(place.accumulator)].packed = info(family->accumulator).bits == 16;
  program::Mma mma{};
  // The step `descriptors` gives each its own name.
  mma.a_descriptor = "desc_a";
  mma.b_descriptor = "desc_b";
  mma.accumulator = place.accumulator;
  mma.ring_a = place.ring_a;
  mma.a = operands.a ? operands.a->member : place.a;
  mma.ring_b = place.ring_b;
  mma.b = operands.b.member;
  mma.function = family->function(numbers.columns.value);
  mma.n = numbers.columns;
  mma.k_steps = quotient(numbers.depth, number(family->k));
  mma.k_first = index_constant(dot.product->as<Apply>()->attributes.part_first / family->k);
  mma.row_tile_rows = number(draft.target->mma_rows);
  mma.row_tiles = numbers.rows.value == mma.row_tile_rows.value ? number(1) : quotient(numbers.rows, mma.row_tile_rows);
  const OpAttributes& attributes = dot.product->as<Apply>()->attributes;
  mma.a_major = attributes.trans_a ? Major::mn : Major::k;
  mma.b_major = attributes.trans_b ? Major::k : Major::mn;
  if (operands.a) mma.a_first = place.first_row;
  mma.b_first = place.first_column;
  mma.accumulate = *accumulation(dot);
  mma.set_by_threads = starts_from_another(dot);
  if (mma.accumulate == Accumulate::not_first_step) mma.axes = first_steps_of(dot.accumulate);
  return mma;
}

}  // namespace pallasgen
