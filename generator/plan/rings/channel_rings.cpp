#include "rings/channel_rings.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/words.h"
#include "program/constant_names.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "proofs/box_access.h"
#include "questions/channels.h"
#include "questions/cursors.h"
#include "questions/first_turns.h"
#include "questions/instructions.h"
#include "rings/rings.h"
#include "rings/role_rings.h"
#include "rings/slot_copies.h"
#include "tile/walk.h"

namespace pallasgen {

using program::CommitCopies, program::RoleSync, program::RoundCopied;

namespace {

program::Access access_of(const Draft& draft, const tile::Box& box, const tile::Path& path) {
  program::Access access = slot_access(draft, box);
  access.vector = number(std::min(access.vector.value, path.vector));
  return access;
}

}  // namespace

ChannelRings::ChannelRings(Draft& draft, const tile::Program& program, const tile::Role& role)
    : draft_(draft), program_(program), role_(role) {
  std::map<int, std::map<int, const tile::Put*>> puts;  // by channel and member
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (const auto* loop = statement.as<tile::For>(); loop && are_first_turns(*loop))
      first_turns_.insert(loop->variable.id);
    const auto* put = statement.as<tile::Put>();
    if (!put || put->value) return;
    const tile::Channel& channel = program.channel(put->entry.channel);
    if (channel.from == channel.to) puts[put->entry.channel.index][put->entry.member] = put;
  });
  for (const auto& [channel, members] : puts) add_ring({channel}, members);
}

void ChannelRings::add_ring(tile::ChannelId id, const std::map<int, const tile::Put*>& puts) {
  const tile::Channel& channel = program_.channel(id);
  RingPlan ring = ring_of_channel(draft_, program_, id, channel_suffix(program_, id));
  ring.moves_on.clear();
  for (size_t axis = 0; axis < draft_.kernel->axes.size(); ++axis) {
    if (!channel.moves.empty() && draft_.kernel->axes[axis].name == channel.moves.back())
      ring.moves_on = {static_cast<int>(axis)};
  }
  // The loop's copies come after those of the first iterations.
  const TypedPtr& goes_ahead = puts.begin()->second->ahead;
  const int64_t ahead = goes_ahead ? constant_value(goes_ahead).value_or(0) : 0;
  ring.ahead = ahead == 0 ? number(0)
               : ahead == ring.slots.value
                   ? ring.slots
                   : draft_.constant(constant_name::ahead + ring.suffix, ahead, constant_line::stages,
                                     fmt::format("{} - {}", ring.slots.text, 1 + channel.delay));
  const auto layouts = slot_layouts(*draft_.target, program_);
  int64_t bytes = 0;
  for (const auto& [member, put] : puts) {
    const program::Access access = access_of(draft_, put->box, put->path);
    const auto lies = layouts.find({id.index, member});
    RingOperand operand = thread_operand(draft_, channel.members[static_cast<size_t>(member)].name, put->box,
                                         ring.slots, lies == layouts.end() ? SlotLayout{} : lies->second);
    sizes_[{id.index, member}] = slot_sizes(draft_, put->box, channel.members[static_cast<size_t>(member)].shape);
    if (lies != layouts.end() && lies->second.tf32) {
      const int index = static_cast<int>(draft_.plan.rings.size());
      rounded_[id.index].push_back({fmt::format("{} as the tensor cores take it ...", operand.name), false,
                                    RoundCopied{index, member, sizes_.at({id.index, member}), access.vector}});
    }
    bytes += operand.bytes.value;
    ring.operands.push_back(std::move(operand));
  }
  ring.bytes = number(bytes);
  ring.own = takes_own_copies(id, puts);
  ring.path = ring.own ? "each thread copies what it reads" : "copied by the threads that read it";
  ring_of_[id.index] = append_ring(draft_, std::move(ring));
  rings_.push_back(ring_of_[id.index]);
}

bool ChannelRings::takes_own_copies(tile::ChannelId id, const std::map<int, const tile::Put*>& puts) const {
  std::map<int, const tile::Put*> got;  // by value
  bool own = true;
  for_each_statement(role_.body, [&](const tile::Statement& statement) {
    for (const int value : tile::used_by(statement)) {
      const auto from = got.find(value);
      if (from == got.end()) continue;
      const tile::Put& put = *from->second;
      const Shape& shape = program_.channel(id).members[static_cast<size_t>(put.entry.member)].shape;
      own = own && tile::takes_own_copies(program_, role_, statement, value, put.path.vector, shape);
    }
    const auto* get = statement.as<tile::Get>();
    if (get && get->entry.channel == id) got[get->value.index] = puts.at(get->entry.member);
  });
  return own;
}

Number ChannelRings::most_copies_ahead() const {
  Number most = number(0);
  for (int ring : rings_) {
    const Number& ahead = draft_.plan.rings[static_cast<size_t>(ring)].ahead;
    if (ahead.value > most.value) most = ahead;
  }
  return most;
}

TypedPtr ChannelRings::named(const TypedPtr& expr, int64_t steps) const {
  // The expressions of the copies ahead: turn + ahead, last - ahead, count < ahead.
  const auto counts = [&](const TypedPtr& node) -> TypedPtr {
    const Apply* apply = node->as<Apply>();
    if (!apply || apply->args.size() != 2 || !apply->args[0]->as<Symbol>()) return nullptr;
    if (apply->op != Op::add && apply->op != Op::subtract && apply->op != Op::less) return nullptr;
    const Constant* constant = apply->args[1]->as<Constant>();
    if (!constant || !constant->name.empty() || apply->args[1]->dtype != DType::index) return nullptr;
    for (int ring : rings_) {
      const Number& ahead = draft_.plan.rings[static_cast<size_t>(ring)].ahead;
      const int64_t counted = steps > 0 ? steps : ahead.value;
      if (ahead.value == 0 || counted < ahead.value || constant_value(apply->args[1]) != counted) continue;
      TypedPtr by = to_index(ahead);
      if (counted > ahead.value)
        by = make_typed(node->span, DType::index, {}, Apply{Op::add, {by, index_constant(counted - ahead.value)}, {}});
      return make_typed(node->span, node->dtype, node->shape,
                        Apply{apply->op, {named(apply->args[0], steps), by}, apply->attributes});
    }
    return nullptr;
  };
  return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    const Symbol* counted = node->as<Symbol>();
    if (counted && counted->kind == SymbolKind::loop && counted->id >= 0)
      return variable(first_turns_.count(counted->id) > 0 ? counted->name : draft_.names().of(counted->name));
    return counts(node);
  });
}

program::Access ChannelRings::access(const tile::Box& box, const tile::Path& path, int64_t steps) const {
  tile::Box as_printed = box;
  for (tile::BoxDim& dim : as_printed.dims) {
    dim.first = named(dim.first, steps);
    if (dim.limit) dim.limit = named(dim.limit, steps);
  }
  program::Access made = access_of(draft_, as_printed, path);
  // The facts are about the loop's variable, not about the name that the kernel prints.
  const program::Access known = access_of(draft_, box, path);
  made.vector = known.vector;
  made.reason = known.reason;
  return made;
}

program::Statement ChannelRings::prefetch(const tile::Prefetch& ask) const {
  return {"", false, program::Prefetch{ask.ahead, box_sizes(draft_, ask.box), access(ask.box, ask.path, ask.ahead)}};
}

program::Statement ChannelRings::copy(const tile::Put& put) const {
  program::Access access = this->access(put.box, put.path);
  const int ring = ring_of(put.entry.channel);
  TypedPtr ahead = index_constant(0);
  if (put.ahead && constant_value(put.ahead)) ahead = to_index(draft_.plan.rings[static_cast<size_t>(ring)].ahead);
  if (put.ahead && !constant_value(put.ahead)) ahead = named(put.ahead);
  return {"", false, slot_copy(draft_, ring, put.entry.member, ahead, put.box, std::move(access))};
}

const RingPlan& ChannelRings::ring(tile::ChannelId channel) const {
  return draft_.plan.rings[static_cast<size_t>(ring_of(channel))];
}

std::string ChannelRings::names(const std::vector<tile::ChannelId>& channels) const {
  std::vector<std::string> found;
  for (tile::ChannelId channel : channels) {
    for (const RingOperand& operand : ring(channel).operands) found.push_back(operand.name);
  }
  return listed(found);
}

std::string ChannelRings::comment_of_first_turns() const {
  std::vector<tile::ChannelId> ahead;
  for (const auto& [channel, index] : ring_of_) {
    if (ring({channel}).ahead.value > 0) ahead.push_back({channel});
  }
  return names(ahead) + " of the first steps";
}

program::Statement ChannelRings::commit(bool first_turns) const {
  return {first_turns ? "a group of copies for each of these steps, empty where there is no such step" : "", false,
          CommitCopies{}};
}

bool ChannelRings::is_awaited(const std::vector<tile::ChannelId>& channels) const {
  return std::any_of(channels.begin(), channels.end(), [this](tile::ChannelId channel) {
    const std::vector<RingOperand>& operands = ring(channel).operands;
    return std::any_of(operands.begin(), operands.end(), [](const auto& each) { return each.path == CopyPath::async; });
  });
}

bool ChannelRings::is_read_by_instructions(const std::vector<tile::ChannelId>& channels) const {
  return std::any_of(channels.begin(), channels.end(), [this](tile::ChannelId channel) {
    const std::vector<RingOperand>& operands = ring(channel).operands;
    return std::any_of(operands.begin(), operands.end(), [](const auto& each) { return each.major != Major::none; });
  });
}

program::Statements ChannelRings::wait(const tile::WaitCopies& wait) const {
  program::WaitCopies node{number(wait.pending), {}};
  std::string axis;
  bool several = false, own = true;
  for (tile::ChannelId channel : wait.channels) {
    const RingPlan& ring = this->ring(channel);
    own = own && ring.own;
    node.rings.push_back(ring_of(channel));
    axis = program_.channel(channel).moves.empty() ? "" : program_.channel(channel).moves.back();
    several = several || ring.operands.size() > 1 || wait.channels.size() > 1;
    if (wait.pending > 0 && ring.ahead.value == wait.pending + 1)
      node.groups = number(wait.pending, ring.ahead.text + " - 1");
  }
  const std::string step = names(wait.channels) + (axis.empty() ? "" : " of step " + draft_.names().of(axis)),
                    have = several ? "have" : "has";
  program::Statements out = {{own ? fmt::format("{} {} arrived; a thread reads what it copied itself", step, have)
                                  : fmt::format("this thread's part of {} has arrived ...", step),
                              false, std::move(node)}};
  for (tile::ChannelId channel : wait.channels) {
    const auto rounded = rounded_.find(channel.index);
    if (rounded != rounded_.end()) out.insert(out.end(), rounded->second.begin(), rounded->second.end());
  }
  return out;
}

std::string ChannelRings::comment_of_fence(const tile::Orders& orders) const {
  return is_awaited(orders.filled)
             ? "... the tensor cores see it ..."
             : fmt::format("the tensor cores see what this thread has stored of {} ...", names(orders.filled));
}

std::string ChannelRings::comment_of_sync(const tile::Orders& orders) const {
  if (orders.filled.empty()) return "all threads have read what the slot holds";
  const bool continues = is_awaited(orders.filled) || is_read_by_instructions(orders.filled);
  return (continues ? "... and every thread's"
                    : fmt::format("every thread has stored its part of {}", names(orders.filled))) +
         (orders.read.empty() ? "" : "; all have read the step before");
}

}  // namespace pallasgen
