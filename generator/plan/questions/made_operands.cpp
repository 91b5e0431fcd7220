#include "questions/made_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "layout/warps.h"
#include "program/memory.h"
#include "proofs/box_access.h"
#include "proofs/tensor_copies.h"
#include "questions/cursors.h"
#include "questions/instructions.h"
#include "rings/rings.h"
#include "rings/role_rings.h"
#include "tile/walk.h"
#include "tile/warpgroups.h"

namespace pallasgen {

std::set<int> made_operands(const tile::Program& program) {
  std::set<int> found;
  for (const tile::Role& role : program.roles) {
    std::map<int, int> got;  // by value: its channel
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* get = statement.as<tile::Get>();
      const tile::Channel* channel = get ? &program.channel(get->entry.channel) : nullptr;
      if (channel && channel->from == channel->to) got[get->value.index] = get->entry.channel.index;
    });
    if (got.empty()) continue;
    std::set<int> read, made;
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* put = statement.as<tile::Put>();
      if (put && put->value) made.insert(put->entry.channel.index);
      const auto* dot = statement.as<tile::Dot>();
      if (!dot || !dot->by_unit()) return;
      for (int value : tile::used_by(statement)) {
        if (const auto from = got.find(value); from != got.end()) read.insert(from->second);
      }
    });
    for (int channel : read) {
      if (made.count(channel)) found.insert(channel);
    }
  }
  return found;
}

namespace operand_protocols {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Block, tile::ChannelId, tile::FenceProxy, tile::Put, tile::Statement, tile::Sync;

class OperandProtocol {
 public:
  OperandProtocol(const tile::Program& program, const tile::Role& role)
      : program_(program),
        made_(made_operands(program)),
        several_(role.warps > kWarpsOfGroup),
        within_(tile::channels_within_warpgroups(program, role)) {}

  void block(Block& statements) const {
    if (made_.empty()) return;
    Block out;
    std::map<int, int> unseen;  // values got from entries that not all have stored their part of, and their channels
    for (Statement& statement : statements) {
      for (Block* inner : tile::blocks_of(statement)) block(*inner);
      const std::set<int> used = tile::touched(program_, statement).reads;
      if (std::any_of(used.begin(), used.end(), [&](int value) { return unseen.count(value) > 0; }))
        meet(statement.span, unseen, out);
      const tile::Get* get = statement.as<tile::Get>();
      if (get && is_made(get->entry)) unseen[get->value.index] = get->entry.channel.index;
      const Put* put = statement.as<Put>();
      // With a second slot the meeting behind the entry before tells that the one before that has been read.
      if (put && is_made(put->entry) && program_.channel(put->entry.channel).slots.value_or(1) == 1 &&
          within_.count(put->entry.channel.index) == 0)
        out.push_back({statement.span, "", Sync{}});
      out.push_back(std::move(statement));
    }
    if (!unseen.empty()) meet(out.back().span, unseen, out);
    statements = std::move(out);
  }

  // Behind the use of an entry: before the next one is filled, or where the block ends.
  void advance(Block& statements) const {
    std::vector<ChannelId> used;
    Block out;
    for (Statement& statement : statements) {
      const std::set<int> filled = filled_by(statement);
      for (ChannelId channel : used) {
        if (filled.count(channel.index)) out.push_back({statement.span, "", tile::Advance{channel}});
      }
      std::erase_if(used, [&](ChannelId channel) { return filled.count(channel.index) > 0; });
      for (Block* inner : tile::blocks_of(statement)) advance(*inner);
      const tile::Get* get = statement.as<tile::Get>();
      if (get && is_made(get->entry) && !std::count(used.begin(), used.end(), get->entry.channel))
        used.push_back(get->entry.channel);
      out.push_back(std::move(statement));
    }
    const Span span = out.empty() ? Span() : out.back().span;
    for (ChannelId channel : used) out.push_back({span, "", tile::Advance{channel}});
    statements = std::move(out);
  }

 private:
  bool is_made(const tile::Entry& entry) const { return made_.count(entry.channel.index) > 0; }
  // The channels that the statement fills entries of, or what stands in its blocks does.
  std::set<int> filled_by(const Statement& statement) const {
    std::set<int> found;
    tile::for_each_statement({statement}, [&](const Statement& inner) {
      const Put* put = inner.as<Put>();
      if (put && is_made(put->entry)) found.insert(put->entry.channel.index);
    });
    return found;
  }

  // Before a turn is taken: while a warpgroup has it, others wait.
  void meet(Span span, std::map<int, int>& unseen, Block& out) const {
    auto at = out.end();
    for (auto turn = out.end(); turn != out.begin() && !(turn - 1)->as<tile::PassTurn>(); --turn) {
      if ((turn - 1)->as<tile::TakeTurn>()) at = turn - 1;
    }
    while (at != out.end() && at != out.begin() && (at - 1)->as<tile::Get>()) --at;
    const bool within = several_ && std::all_of(unseen.begin(), unseen.end(),
                                                [&](const auto& each) { return within_.count(each.second) > 0; });
    at = out.insert(at, {span, "", Sync{within ? tile::SyncOf::warpgroup : tile::SyncOf::role}});
    out.insert(at, {span, "", FenceProxy{}});
    unseen.clear();
  }

  const tile::Program& program_;
  const std::set<int> made_;
  const bool several_;          // warpgroups
  const std::set<int> within_;  // channels that take each warpgroup's own
};

}  // namespace operand_protocols

void insert_operand_protocol(const tile::Program& program, tile::Role& role) {
  operand_protocols::OperandProtocol(program, role).block(role.body);
}

void advance_operands(const tile::Program& program, tile::Role& role) {
  operand_protocols::OperandProtocol(program, role).advance(role.body);
}

MadeOperands::MadeOperands(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values)
    : draft_(draft), program_(program), values_(values) {
  const std::set<int> made = made_operands(program);
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    const tile::Put* put = statement.as<tile::Put>();
    if (put && made.count(put->entry.channel.index) && !ring_of_.count(put->entry.channel.index))
      add_ring(put->entry.channel, *put);
  });
}

std::optional<int> MadeOperands::ring_of(tile::ChannelId channel) const {
  const auto found = ring_of_.find(channel.index);
  return found == ring_of_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Number> MadeOperands::sizes(const tile::Entry& entry) const {
  const tile::Channel::Member& member = program_.channel(entry.channel).members[static_cast<size_t>(entry.member)];
  return sizes_of(draft_, member.shape, member.name);
}

void MadeOperands::add_ring(tile::ChannelId id, const tile::Put& put) {
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
  operand.slab_width = one ? operand.width : number(span);
  operand.slabs = one ? number(1) : quotient(operand.width, operand.slab_width);
  operand.slab_elements = product(operand.extent, operand.slab_width);
  operand.row_boxes = number(1);
  operand.row_box = operand.extent;
  operand.row_box_elements = operand.slab_elements;
  const Number elements = product(operand.extent, operand.width);
  operand.bytes = {elements.value * element, fmt::format("{} * sizeof({})", elements.text, element_type(member.dtype))};

  RingPlan ring;
  name_ring(draft_, "_" + member.name, cursor_of(program_, id), ring);
  ring.slots = draft_.constant(std::string(constant_name::stages) + "_" + member.name, channel.slots.value_or(1),
                               constant_line::stages);
  ring.ahead = number(0);
  ring.bytes = operand.bytes;
  ring.moves_on = axes_of(*draft_.kernel, channel);
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
  ring_of_[id.index] = static_cast<int>(draft_.plan.rings.size());
  rings_.push_back(ring_of_[id.index]);
  draft_.plan.rings.push_back(std::move(ring));
}

bool MadeOperands::is_put(const tile::Block& block, size_t at) const {
  const tile::Put* put = at < block.size() ? block[at].as<tile::Put>() : nullptr;
  return put && ring_of_.count(put->entry.channel.index) > 0;
}

program::Statement MadeOperands::store(const tile::Put& put) const {
  TypedPtr first = values_.first_row(put.value);
  if (first) first = multiply(first, to_index(sizes(put.entry).back()));
  first = add(first, values_.first_column(put.value));
  const bool tf32 = slot_layouts(*draft_.target, program_).at({put.entry.channel.index, 0}).tf32;
  return {"", false,
          program::StoreOperand{values_.fragment(put.value), ring_of_.at(put.entry.channel.index), 0, std::move(first),
                                tf32}};
}

std::optional<program::Statement> MadeOperands::lower(const tile::Block& block, size_t at) const {
  const auto sync_at = [&](size_t place) { return place < block.size() ? block[place].as<tile::Sync>() : nullptr; };
  const auto frees = [&](size_t place) { return place < block.size() && block[place].as<tile::Release>(); };
  const tile::Sync* sync = sync_at(at);
  if (is_put(block, at)) return store(*block[at].as<tile::Put>());
  if (block[at].as<tile::FenceProxy>() && sync_at(at + 1) && !frees(at + 2))
    return program::Statement{"the tensor cores see what this thread stored ...", false, program::FenceAsync{}};
  if (sync && at > 0 && block[at - 1].as<tile::FenceProxy>() && !frees(at + 1)) {
    if (sync->of == tile::SyncOf::warpgroup)
      return program::Statement{"... and what the others of its warpgroup did", false, program::WarpgroupSync{}};
    return program::Statement{"... and what all others did", false, program::RoleSync{}};
  }
  size_t next = at + 1;
  while (next < block.size() && block[next].as<tile::Advance>()) ++next;
  if (sync && is_put(block, next))
    return program::Statement{
        fmt::format("{} of the step before has been read",
                    program_.channel(block[next].as<tile::Put>()->entry.channel).members.front().name),
        false, program::RoleSync{}};
  return std::nullopt;
}

}  // namespace pallasgen
