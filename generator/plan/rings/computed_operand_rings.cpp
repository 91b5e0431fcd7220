#include "rings/computed_operand_rings.h"

#include <fmt/format.h>

#include <utility>

#include "program/constant_names.h"
#include "program/index_terms.h"
#include "program/memory.h"
#include "program/numbers.h"
#include "proofs/box_access.h"
#include "proofs/tensor_copies.h"
#include "questions/channels.h"
#include "questions/computed_operands.h"
#include "questions/cursors.h"
#include "questions/instructions.h"
#include "rings/rings.h"
#include "tile/walk.h"

namespace pallasgen {

ComputedOperands::ComputedOperands(Draft& draft, const tile::Program& program, const tile::Role& role,
                                   FragmentValues& values)
    : draft_(draft), program_(program), values_(values) {
  const std::set<int> made = computed_operands(program);
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    const tile::Put* put = statement.as<tile::Put>();
    if (put && made.count(put->entry.channel.index) && !ring_of_.count(put->entry.channel.index))
      add_ring(put->entry.channel, *put);
  });
}

std::optional<int> ComputedOperands::ring_of(tile::ChannelId channel) const {
  const auto found = ring_of_.find(channel.index);
  return found == ring_of_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Number> ComputedOperands::sizes(const tile::Entry& entry) const {
  const tile::Channel::Member& member = program_.channel(entry.channel).members[static_cast<size_t>(entry.member)];
  return sizes_of(draft_, member.shape, member.name);
}

void ComputedOperands::add_ring(tile::ChannelId id, const tile::Put& put) {
  const tile::Channel& channel = program_.channel(id);
  const tile::Channel::Member& member = channel.members.front();
  const SlotLayout lies = slot_layouts(*draft_.target, program_).at({id.index, 0});
  const std::vector<Number> shape = sizes(put.entry);
  const int64_t element = info(member.dtype).bits / 8;

  RingOperand operand;
  operand.name = member.name;
  operand.dtype = member.dtype;
  operand.path = CopyPath::made;
  operand.way = "stored by the threads that compute it";
  operand.swizzle = lies.swizzle;
  operand.major = lies.major;
  operand.extent = shape.front();
  operand.width = shape.back();
  const int64_t span = swizzle_bytes(lies.swizzle) / element;
  const bool one = operand.width.value == span;
  operand.column_box_width = one ? operand.width : number(span);
  operand.column_boxes = one ? number(1) : quotient(operand.width, operand.column_box_width);
  operand.column_box_elements = product(operand.extent, operand.column_box_width);
  operand.row_boxes = number(1);
  operand.row_box = operand.extent;
  operand.row_box_elements = operand.column_box_elements;
  const Number elements = product(operand.extent, operand.width);
  operand.bytes = {elements.value * element, fmt::format("{} * sizeof({})", elements.text, element_type(member.dtype))};

  RingPlan ring = ring_of_channel(draft_, program_, id, "_" + member.name);
  ring.ahead = number(0);
  ring.bytes = operand.bytes;
  ring.path = "stored by the threads, read by the tensor cores";
  SharedField field;
  field.name = draft_.names().of(member.name);
  field.dtype = member.dtype;
  field.dims = {ring.slots, elements};
  field.alignment = 8 * swizzle_bytes(lies.swizzle);
  field.purpose = member.name;
  operand.field = add_field(draft_, std::move(field));
  draft_.decide("place of " + member.name,
                fmt::format("shared memory, swizzled over {} bytes, {}-major", swizzle_bytes(lies.swizzle),
                            lies.major == Major::k ? "K" : "MN"),
                "threads compute it, and instructions do not take it from registers there");
  ring.operands.push_back(std::move(operand));
  ring_of_[id.index] = append_ring(draft_, std::move(ring));
  rings_.push_back(ring_of_[id.index]);
}

program::Statement ComputedOperands::store(const tile::Put& put) const {
  TypedPtr first = values_.first_row(put.value);
  if (first) first = multiply(first, to_index(sizes(put.entry).back()));
  first = add(first, values_.first_column(put.value));
  const bool tf32 = slot_layouts(*draft_.target, program_).at({put.entry.channel.index, 0}).tf32;
  return {"", false,
          program::StoreOperand{values_.fragment(put.value), ring_of_.at(put.entry.channel.index), 0, std::move(first),
                                tf32}};
}

}  // namespace pallasgen
