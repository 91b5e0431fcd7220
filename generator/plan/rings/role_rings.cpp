#include "rings/role_rings.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/words.h"
#include "program/constant_names.h"
#include "program/index_terms.h"
#include "proofs/box_access.h"
#include "proofs/tensor_copies.h"
#include "questions/channels.h"
#include "questions/cursors.h"
#include "questions/instructions.h"
#include "questions/used_entries.h"
#include "rings/bulk_copies.h"
#include "rings/rings.h"
#include "rings/slot_copies.h"
#include "tile/walk.h"

namespace pallasgen {

using program::BarrierWait, program::ExpectBytes, program::FenceAsync, program::ReleaseWhen, program::TensorLoad,
    program::WarpSync;

RoleRings::RoleRings(Draft& draft, const tile::Program& program, const Number& consumers)
    : draft_(draft), program_(program), consumers_(consumers) {
  std::map<int, std::map<int, const tile::Put*>> puts;  // by channel and member
  for (const tile::Role& role : program.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* put = statement.as<tile::Put>();
      if (!put || put->value) return;
      const tile::Channel& channel = program.channel(put->entry.channel);
      if (channel.from != channel.to) puts[put->entry.channel.index][put->entry.member] = put;
    });
  }
  for (const auto& [channel, members] : puts) add_ring({channel}, members, consumers);
  for (size_t i = 0; i < program.channels.size(); ++i) {
    const tile::ChannelId channel{static_cast<int>(i)};
    if (!tile::is_staged_between(program, channel)) continue;
    ring_of_[channel.index] = plan_staged_ring(draft, program, channel, consumers);
  }
}

std::vector<int> RoleRings::rings_of(const tile::Role& role) const {
  std::vector<int> found;
  for (const auto& [id, ring] : ring_of_) {
    const tile::Channel& channel = program_.channel({id});
    if (channel.from == role.name || channel.to == role.name) found.push_back(ring);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void RoleRings::add_ring(tile::ChannelId id, const std::map<int, const tile::Put*>& puts, const Number& consumers) {
  const tile::Channel& channel = program_.channel(id);
  const auto layouts = slot_layouts(*draft_.target, program_);
  const std::set<std::pair<int, int>> loaded = loaded_as_operands(program_);
  CopiedRing copied;
  for (const auto& [member, put] : puts) {
    const bool run = put->path.kind == tile::PathKind::bulk;
    const auto lies = layouts.find({id.index, member});
    SlotLayout layout = lies == layouts.end() ? SlotLayout{} : lies->second;
    if (lies == layouts.end() && loaded.count({id.index, member}) > 0) layout.swizzle = widest_of(*put);
    copied.operands.push_back({channel.members[static_cast<size_t>(member)].name, put->box, layout, run});
    sizes_[{id.index, member}] = slot_sizes(draft_, put->box, channel.members[static_cast<size_t>(member)].shape);
    copied.by_threads = !tile::is_by_unit(put->path.kind);
    const Issuer issuer = copied.by_threads && !is_one_access(draft_, put->box) ? Issuer::all
                          : run && run_access(draft_, put->box).masked          ? Issuer::one_warp
                                                                                : Issuer::one_thread;
    copied.filled_by = std::max(copied.filled_by, issuer);
  }
  const int ring = plan_copied_ring(draft_, program_, id, copied, consumers);
  for (const RingOperand& operand : draft_.plan.rings[static_cast<size_t>(ring)].operands) {
    if (!operand.lies_in_column_boxes()) continue;
    if (operand.major == Major::none) {
      draft_.decide("swizzle of " + operand.name, fmt::format("{} bytes", swizzle_bytes(operand.swizzle)),
                    "the rows that threads load at once lie in different banks");
      continue;
    }
    std::string why =
        fmt::format("the widest that divides its rows of {} bytes",
                    operand.column_box_width.value * operand.column_boxes.value * info(operand.dtype).bits / 8);
    if (operand.column_boxes.value > 1)
      why += fmt::format("; {} boxes of columns, of {} bytes each", operand.column_boxes.value,
                         swizzle_bytes(operand.swizzle));
    draft_.decide(
        "swizzle of " + operand.name,
        fmt::format("{} bytes, {}-major", swizzle_bytes(operand.swizzle), operand.major == Major::k ? "K" : "MN"), why);
  }
  ring_of_[id.index] = ring;
  rings_.push_back(ring);
}

// The widest swizzle that tensor copies of the box can have.
Swizzle RoleRings::widest_of(const tile::Put& put) const {
  const Ref& ref = draft_.ref(put.box.ref);
  if (put.path.kind != tile::PathKind::tensor) return Swizzle::none;
  const int bytes = widest_swizzle(*draft_.target, bytes_of(ref.dtype, put.box.dims.back().size.value_or(1)));
  const bool fits = bytes > 0 && proved_boxes(ref, put.box, bytes, *draft_.target).holds;
  return fits ? swizzle_of(bytes) : Swizzle::none;
}

std::optional<int> RoleRings::ring_of(tile::ChannelId channel) const {
  const auto found = ring_of_.find(channel.index);
  return found == ring_of_.end() ? std::nullopt : std::optional(found->second);
}

const RingPlan& RoleRings::ring(tile::ChannelId channel) const {
  return draft_.plan.rings[static_cast<size_t>(*ring_of(channel))];
}

Issuer RoleRings::copy_issuer() const {
  Issuer issuer = Issuer::one_thread;
  for (int index : rings_) issuer = std::max(issuer, draft_.plan.rings[static_cast<size_t>(index)].filled_by);
  return issuer;
}

program::Statement RoleRings::copy(const tile::Put& put) const {
  const int index = *ring_of(put.entry.channel);
  if (put.path.kind == tile::PathKind::tensor) {
    TensorLoad load{index, put.entry.member};
    const RingOperand& operand =
        draft_.plan.rings[static_cast<size_t>(index)].operands[static_cast<size_t>(put.entry.member)];
    std::vector<TypedPtr> first;
    for (const tile::BoxDim& dim : put.box.dims) first.push_back(dim.first);
    const bool same = std::equal(first.begin(), first.end(), operand.coordinates.begin(), operand.coordinates.end(),
                                 [](const TypedPtr& a, const TypedPtr& b) { return equal(a, b); });
    if (!same) load.coordinates = box_coordinates(operand, std::move(first));
    return {"", false, std::move(load)};
  }
  const bool run = put.path.kind == tile::PathKind::bulk;
  return {"", false,
          slot_copy(draft_, index, put.entry.member, index_constant(0), put.box,
                    run ? run_access(draft_, put.box) : slot_access(draft_, put.box))};
}

program::Statement RoleRings::release(const tile::Release& release, bool waited) const {
  const RingPlan& of = ring(release.channel);
  const int axis = of.moves_on.empty() ? -1 : of.moves_on.back();
  const int index = *ring_of(release.channel);
  if (release.which == tile::Freed::entry)
    return {"... which is free again", false, program::Release{index, ReleaseWhen::now, axis}};
  if (release.which == tile::Freed::last) return {"", false, program::Release{index, ReleaseWhen::last_step, axis}};
  return {waited ? "... which is free again" : "... and of the one before, which is free again", false,
          program::Release{index, ReleaseWhen::previous_step, axis}};
}

std::string RoleRings::step_words(const tile::Entry& entry) const {
  if (entry.at.empty()) return "this tile";
  if (entry.at.size() > 1) return "this step";
  const Apply* before = entry.at[0]->applies(Op::subtract);
  const Symbol* all = before ? before->args[0]->as<Symbol>() : nullptr;
  const bool last = all && all->kind == SymbolKind::axis_size && constant_value(before->args[1]) == 1;
  return last ? "the last step" : "step " + to_string(entry.at[0]);
}

std::string RoleRings::read_comment(tile::ChannelId channel, const std::string& step) const {
  const std::vector<std::string> names = operand_names(ring(channel));
  return fmt::format("{} of {} {} been read", listed(names), step, names.size() == 1 ? "has" : "have");
}

program::Statement RoleRings::wait_full(tile::ChannelId channel, const tile::Entry* next) const {
  const RingPlan& of = ring(channel);
  const std::vector<std::string> names = operand_names(of);
  const BarrierWait wait{of.full, *ring_of(channel), false};
  if (is_staged(channel)) {
    const std::string& from = program_.channel(channel).from;
    return {fmt::format("the {}s have written {} of this step", from, listed(names)), false, wait};
  }
  std::string what = of.moves_on.empty() ? "this tile" : "this step";
  if (of.moves_on.size() == 1) what = next && next->channel == channel ? step_words(*next) : "the next step";
  return {fmt::format("{} of {} {} arrived", listed(names), what, names.size() == 1 ? "has" : "have"), false, wait};
}

program::Statement RoleRings::wait_free(tile::ChannelId channel) const {
  const RingPlan& of = ring(channel);
  const std::string comment =
      is_staged(channel)
          ? fmt::format("the copies out of stage {} have read it; the first lap passes at once", of.slot_name)
          : fmt::format("stage {} is free", of.slot_name);
  return {comment, false, BarrierWait{of.empty, *ring_of(channel), true}};
}

program::Statements RoleRings::fill(tile::ChannelId channel) const {
  const int index = *ring_of(channel);
  if (!is_staged(channel)) return filled(draft_, index);
  return {{fmt::format("... and the {} may take them to memory", program_.channel(channel).to), false,
           program::ArriveFilled{index, program::Filled::staged}}};
}

program::Statements RoleRings::lower(const tile::Statement& statement, bool waited, const tile::Entry* next) const {
  if (const auto* put = statement.as<tile::Put>(); put && ring_of(put->entry.channel)) return {copy(*put)};
  if (const auto* fill = statement.as<tile::Fill>()) return this->fill(fill->channel);
  if (const auto* wait = statement.as<tile::WaitFull>()) return {wait_full(wait->channel, next)};
  if (const auto* freed = statement.as<tile::Release>()) return {release(*freed, waited)};
  if (const auto* expect = statement.as<tile::Expect>())
    return {{"", false, ExpectBytes{ring(expect->channel).full, *ring_of(expect->channel)}}};
  if (const auto* wait = statement.as<tile::WaitFree>()) return {wait_free(wait->channel)};
  if (const auto* turn = statement.as<tile::TakeTurn>())
    return {{turn->last ? "takes the last turn, so that no barrier is left half-way"
                        : "the other warpgroups have issued their dots",
             false, program::TakeTurn{consumers_, turn->last}}};
  if (const auto* turn = statement.as<tile::PassTurn>())
    return {{turn->first ? "the first turn is warpgroup 0's" : "", false, program::PassTurn{consumers_, turn->first}}};
  return {};
}

void RoleRings::append(const tile::Statement& statement, program::Statements made, program::Statements& out) const {
  const auto* wait = statement.as<tile::WaitFree>();
  const auto* expect = statement.as<tile::Expect>();
  const auto* put = statement.as<tile::Put>();
  const auto* fill = statement.as<tile::Fill>();
  const bool fills = wait || expect || put || fill;
  const tile::ChannelId channel = wait     ? wait->channel
                                  : expect ? expect->channel
                                  : put    ? put->entry.channel
                                  : fill   ? fill->channel
                                           : tile::ChannelId{};
  program::Statements* to = &out;
  if (fills && !is_staged(channel) && ring(channel).filled_by != copy_issuer()) {
    const TypedPtr some = variable(ring(channel).filled_by == Issuer::one_thread ? "leader" : "first_warp");
    program::If* same = out.empty() ? nullptr : std::get_if<program::If>(&out.back().node);
    if (!same || !equal(same->condition, some)) {
      out.push_back({"", false, program::If{some, {}, {}}});
      same = std::get_if<program::If>(&out.back().node);
    }
    to = &same->then;
  }
  std::move(made.begin(), made.end(), std::back_inserter(*to));
}

}  // namespace pallasgen
