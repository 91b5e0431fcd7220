// Lowers the statements that define the values of a role and move them.

#include <algorithm>
#include <utility>

#include "driver/lowering.h"
#include "fragments/fragment_access.h"
#include "fragments/slot_loads.h"
#include "program/index_terms.h"
#include "proofs/access.h"
#include "questions/first_turns.h"
#include "questions/steps_fill.h"
#include "questions/tile_body.h"
#include "tile/parts.h"
#include "tile/walk.h"

namespace pallasgen {

namespace planning {

namespace {

// The extent of k that a dot multiplies, from the sizes of its operand b.
Number depth_of(const OpAttributes& attributes, const std::vector<Number>& b) {
  if (attributes.part_size > 0) return number(attributes.part_size);
  return attributes.trans_b ? b.back() : b.front();
}

}  // namespace

void Lowering::multiply_add(const tile::Dot& dot, const std::string& origin, Statements& out) {
  const MmaOperands operands = *mma_operands(role_, dot);
  const std::vector<Number> b = channels_.sizes(operands.b);
  MmaPlace place{0, -1, operands.a ? channels_.ring_of(operands.a->channel) : -1,
                 channels_.ring_of(operands.b.channel)};
  const Apply& product = *dot.product->as<Apply>();
  const MmaNumbers numbers{values_.rows_per_group(dot.value), values_.columns_per_group(dot.value),
                           depth_of(product.attributes, b), place.ring_b, product.args[1]->dtype};
  if (!multiplied_) multiplied_ = numbers;
  const bool known = declared_.count(dot.value.index) > 0;
  if (starts_from_another(dot))
    compute({dot.value, dot.start}, origin, out);
  else
    declare(dot.value, out);
  place.accumulator = values_.fragment(dot.value);
  place.first_row = values_.first_row(dot.value);
  place.first_column = values_.first_column(dot.value);
  const ValueId a = operands.in_registers;
  if (!operands.a) place.a = packed_.has(a) ? packed_.fragment(a) : values_.fragment(a);
  program::Mma mma = mma_of(draft_, dot, place, operands, numbers);
  mma.discards = known && mma.accumulate == program::Accumulate::not_first_mma;
  out.push_back({"", false, std::move(mma)});
}

void Lowering::multiply_blocks(const tile::Dot& dot, const std::string& origin, Statements& out) {
  const bool in_place = dot.start && !starts_from_another(dot), quotes = in_place && !origin.empty();
  if (!in_place) compute({dot.value, dot.start ? dot.start : zero_of(dot.product->dtype)}, origin, out);
  declare(dot.value, out);
  out.push_back({quotes ? origin : "", quotes, blocks_.multiply_add(dot, values_.fragment(dot.value), got_)});
}

void Lowering::wait_for(const tile::WaitMma& wait, Statements& out) {
  program::MmaWait node{number(wait.pending)};
  for (ValueId value : wait.values) {
    if (dots_.count(value.index))
      node.accumulators.push_back(values_.fragment(value));
    else if (packed_.has(value))
      node.accumulators.push_back(packed_.fragment(value));
  }
  const bool frees = freed_next_ && freed_next_->which != tile::Freed::last;
  std::string reader = in_step_ && frees ? step_read(wait) + " has read its stage ..."
                       : frees           ? "the instructions have read the stage ..."
                                         : "";
  if (in_step_ && frees && channels_.between().rings().size() > 1)
    reader = channels_.between().read_comment(freed_next_->channel, step_read(wait)) + " ...";
  out.push_back({reader, false, std::move(node)});
}

std::string Lowering::step_read(const tile::WaitMma& wait) const {
  const auto got = last_got_.find(freed_next_->channel.index);
  const bool known = got != last_got_.end() && !wait.values.empty();
  return known ? channels_.between().step_words(got->second) : "step " + *in_step_ + (wait.pending > 0 ? " - 1" : "");
}

void Lowering::load_slot(const Assign& assign, const tile::Entry& entry, const Apply* part, Statements& out) {
  const int ring = channels_.ring_of(entry.channel);
  const auto taken = part ? std::optional(part_of_slot(values_, *part, channels_.sizes(entry))) : std::nullopt;
  if (!is_fragment(assign.value)) {
    const bool declares = declared_.insert(assign.value.index).second;
    return out.push_back(load_one_of_slot(draft_.plan, ring, entry.member, taken ? taken->offset : index_constant(0),
                                          values_.scalar(assign.value), declares, constant(assign)));
  }
  declare(assign.value, out);
  out.push_back({"", false,
                 taken ? load_part_of_slot(draft_, values_, assign.value, ring, entry.member, *taken)
                       : load_whole_slot(values_, assign.value, ring, entry.member)});
}

void Lowering::compute(const Assign& assign, const std::string& origin, Statements& out) {
  const bool first = !declared_.count(assign.value.index);
  if (!assign.expr) return begin(assign.value, out);
  if (program_.value(assign.value).dtype == DType::index) {
    out.push_back(values_.index(assign));
    return;
  }
  const auto* use = assign.expr->as<LocalUse>();
  if (use && use->id == assign.value.index)
    return out.push_back({"", false, program::UnpackAgain{values_.fragment(assign.value)}});
  const Apply* part = tile::part_loaded_by(program_, assign);
  const auto* block = part ? part->args[0]->as<LocalUse>() : use;
  if (block && program_.value({block->id}).home == tile::Home::shared && got_.count(block->id) == 0) {
    declare(assign.value, out);
    return out.push_back(load_tile(draft_, values_, assign.value, elements_.tile_of({block->id}), part));
  }
  if (use && moves_through_tiles_.combines_in_place({use->id}, assign.value)) {
    values_.hold(assign.value, values_.fragment({use->id}));
    declared_.insert(assign.value.index);
    out.push_back(values_.share(assign.value, {use->id}));
    return values_.add_number(assign.value, out);
  }
  if (const std::optional<ValueId> from = moves_through_tiles_.moved_by(assign)) {
    TileMoves::Move move = moves_through_tiles_.move(*from, assign.value);
    out.push_back(std::move(move.store));
    declare(assign.value, out);
    return out.push_back(std::move(move.load));
  }
  if (const std::optional<ValueId> held = moves_through_tiles_.transposed_by(assign)) {
    values_.hold(assign.value, values_.fragment(*held));
    declared_.insert(assign.value.index);
    held_.emplace(assign.value.index, origin);
    return;
  }
  if (const std::optional<ValueId> loaded = tile::loaded_by(program_, assign))
    return load_slot(assign, got_.at(loaded->index), nullptr, out);
  if (part) return load_slot(assign, got_.at(block->id), part, out);
  Statements computed = values_.assign(assign.value, assign.expr, origin, first, constant(assign));
  // The declaration comes before the statement that sets the value and after those that compute its operands.
  Statements declaration;
  declare(assign.value, declaration);
  if (packed_.has(assign.value)) declaration.push_back(values_.declaration(assign.value));
  const auto* last = std::get_if<program::ReduceFragment>(&computed.back().node);
  const int own = last && last->part == program::ReducePart::lanes ? 2 : 1;
  computed.insert(computed.end() - own, std::make_move_iterator(declaration.begin()),
                  std::make_move_iterator(declaration.end()));
  append(out, std::move(computed));
  values_.add_number(assign.value, out);
  if (packed_.has(assign.value)) out.push_back(packed_.packed(assign.value));
}

namespace {

// Loads one element in all threads; store_one() stores one from the first thread.
program::Statement load_one(const FragmentValues& values, const Ref& ref, const tile::Read& read, int scalar,
                            bool declares, bool constant) {
  program::Binding from{};
  from.kind = program::SlotKind::global;
  from.ref = read.box.ref;
  for (const tile::BoxDim& dim : read.box.dims) {
    from.index.push_back(values.with_indices(dim.first));
    from.may_leave.push_back(dim.may_leave);
  }
  if (ref.fill) from.outside = typed_constant(ref.dtype, *ref.fill);
  const TypedPtr element = make_typed({}, ref.dtype, {}, LocalUse{0, ref.name});
  return {"", false, program::SetScalar{scalar, element, {from}, declares, constant}};
}

program::Statement store_one(const FragmentValues& values, const Plan& plan, const tile::Write& write, int scalar) {
  program::StoreElement store{};
  store.ref = write.box.ref;
  for (const tile::BoxDim& dim : write.box.dims) {
    store.index.push_back(values.with_indices(dim.first));
    store.may_leave.push_back(dim.may_leave);
  }
  program::Binding value{};
  value.kind = program::SlotKind::scalar;
  value.scalar = scalar;
  const ScalarValue& held = plan.scalars[static_cast<size_t>(value.scalar)];
  store.value = make_typed({}, held.dtype, {}, LocalUse{0, held.name});
  store.bindings = {value};
  program::ForElements first_thread{};
  first_thread.body.push_back({"", false, std::move(store)});
  return {"", false, std::move(first_thread)};
}

}  // namespace

void Lowering::load(const Read& read, Statements& out) {
  if (!is_fragment(read.value))
    return out.push_back(load_one(values_, draft_.ref(read.box.ref), read, values_.scalar(read.value),
                                  declared_.insert(read.value.index).second, definitions_.at(read.value.index) == 1));
  declare(read.value, out);
  out.push_back(elements_.boxes().gathered(read.box, {"", false, load_of(draft_, values_, read)}));
}

void Lowering::store(const Write& write, const std::string& origin, Statements& out) {
  if (!is_fragment(write.value)) {
    out.push_back(store_one(values_, draft_.plan, write, values_.scalar(write.value)));
    return;
  }
  Access to = access_of(draft_, values_, write.box, write.value, write.path.vector);
  const std::string comment = to.masked ? "past the end: dropped" : "";
  const auto held = held_.find(write.value.index);
  StoreGlobal node{values_.fragment(write.value), std::move(to), {}, held == held_.end() ? origin : held->second};
  if (const auto& reduce = draft_.ref(write.box.ref).reduce) {
    node.combine = kind_of_update(*reduce);
    node.access.vector = number(1);
  }
  out.push_back(values_.stored_once(write.value, {comment, false, std::move(node)}));
}

}  // namespace planning

}  // namespace pallasgen
