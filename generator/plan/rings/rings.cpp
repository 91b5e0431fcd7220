#include "rings/rings.h"

#include <fmt/format.h>

#include <algorithm>

#include "layout/warps.h"
#include "plan/words.h"
#include "program/constant_names.h"
#include "program/memory.h"
#include "program/numbers.h"
#include "program/spec_names.h"
#include "proofs/box_access.h"
#include "proofs/tensor_copies.h"
#include "questions/channels.h"
#include "questions/cursors.h"
#include "questions/used_entries.h"
#include "rings/bulk_copies.h"
#include "rings/slot_copies.h"

namespace pallasgen {

namespace {

constexpr int64_t kCopyAlignment = 128;  // bytes, of a tensor copy's destination (PTX ISA 8.6, cp.async.bulk.tensor)

int add_barrier(Draft& draft, BarrierPlan barrier) {
  SharedField field;
  field.name = barrier.name;
  field.is_barrier = true;
  field.dims = {barrier.slots};
  field.alignment = 8;
  field.purpose = "barriers";
  barrier.field = add_field(draft, std::move(field));
  draft.plan.barriers.push_back(std::move(barrier));
  return static_cast<int>(draft.plan.barriers.size()) - 1;
}

// "(bm * bk + bn * bk) * sizeof(bf16)" if all operands have one dtype, else a sum of products with sizeof.
std::string stage_formula(const RingPlan& ring, const std::vector<std::string>& element_texts) {
  std::string elements, bytes;
  bool same = true;
  for (const RingOperand& operand : ring.operands) {
    same = same && operand.dtype == ring.operands.front().dtype;
    elements += (elements.empty() ? "" : " + ") + element_texts[&operand - ring.operands.data()];
    bytes += (bytes.empty() ? "" : " + ") + operand.bytes.text;
  }
  if (!same) return bytes;
  return bytes_formula(ring.operands.front().dtype, elements);
}

const char* comment_of(program::Filled what) {
  return what == program::Filled::copied   ? "when this thread's copies are complete"
         : what == program::Filled::stored ? "this thread has stored its part"
                                           : "all copies are under way, their bytes expected";
}

bool is_copied_by_threads(const RingPlan& ring) {
  const CopyPath path = ring.operands.front().path;
  return path == CopyPath::async || path == CopyPath::registers;
}

// The arrivals of each thread that fills a slot. Threads that copy arrive once for cp.async and once for their stores.
std::vector<program::ArriveFilled> arrivals_of(const Draft& draft, const RingPlan& ring, int index) {
  if (!is_copied_by_threads(ring)) return {{index, program::Filled::issued}};
  bool copies = false, stores = false;
  for (const RingOperand& operand : ring.operands) {
    copies = copies || operand.path == CopyPath::async;
    stores = stores || operand.path == CopyPath::registers || !reads_zero_outside(draft.ref(operand.ref));
  }
  std::vector<program::ArriveFilled> arrivals;
  if (copies) arrivals.push_back({index, program::Filled::copied});
  if (stores) arrivals.push_back({index, program::Filled::stored});
  return arrivals;
}

// How `role` fills the ring.
std::string path_of(const RingPlan& ring, const std::string& role) {
  if (is_copied_by_threads(ring))
    return ring.filled_by == Issuer::all ? fmt::format("copied by the {}'s threads", role)
                                         : fmt::format("copied by one thread of the {}", role);
  const auto runs = std::count_if(ring.operands.begin(), ring.operands.end(),
                                  [](const RingOperand& operand) { return operand.path == CopyPath::bulk; });
  return runs == 0                                            ? "TMA tensor copy"
         : runs == static_cast<int64_t>(ring.operands.size()) ? "bulk copy"
                                                              : "TMA tensor copies and bulk copies";
}

// The threads that arrive on a barrier of a ring.
struct Arrivals {
  Number count;
  std::string by;
  std::string completes_after = {};  // empty: the count says it
  std::optional<Number> tx_bytes = {};
};

// The word for the threads of a role that wait at a barrier: "consumers", as a role that computes may have several
// warpgroups, or "storer".
std::string waiting(const tile::Program& program, const std::string& role) {
  return tile::role_named(program, role)->duties.computes ? role + "s" : role;
}

// Adds the barriers of a ring's slots: `full`, and `empty` if slots are filled more than once.
void add_barriers(Draft& draft, const tile::Program& program, const tile::Channel& channel, RingPlan& ring,
                  Arrivals full, std::optional<Arrivals> empty) {
  const auto add = [&](const char* name, Arrivals arrivals, std::string waited_by, std::string means) {
    if (arrivals.completes_after.empty()) arrivals.completes_after = counted(arrivals.count.value, "arrival");
    return add_barrier(draft, {.name = name + ring.suffix,
                               .slots = ring.slots,
                               .count = std::move(arrivals.count),
                               .tx_bytes = std::move(arrivals.tx_bytes),
                               .completes_after = std::move(arrivals.completes_after),
                               .arrived_by = std::move(arrivals.by),
                               .waited_by = std::move(waited_by),
                               .means = std::move(means)});
  };
  ring.full = add("full", std::move(full), waiting(program, channel.to),
                  fmt::format("stage {} holds {} {}", ring.slot_name, listed(operand_names(ring)),
                              ring.moves_on.empty() ? "of this tile" : "of this step"));
  if (!empty) return;
  ring.empty = add("empty", std::move(*empty), waiting(program, channel.from),
                   fmt::format("stage {} may be overwritten", ring.slot_name));
}

// The arrivals on the full barrier of a ring that `role` fills by copies.
Arrivals arrivals_of_copies(const Draft& draft, const RingPlan& ring, bool by_threads, const tile::Role& role) {
  const int64_t threads = ring.filled_by == Issuer::all ? role.threads() : 1;
  Arrivals full{number(threads * static_cast<int64_t>(arrivals_of(draft, ring, -1).size())), role.name};
  if (by_threads) return full;
  const bool one = ring.filled_by == Issuer::one_thread;
  full.by += ", TMA";
  full.completes_after = fmt::format("1 arrival + {}{} bytes", one ? "" : "up to ", grouped(ring.bytes.value));
  if (one) full.tx_bytes = ring.bytes;
  return full;
}

}  // namespace

program::Statements filled(const Draft& draft, int ring) {
  program::Statements out;
  for (const program::ArriveFilled& arrival : arrivals_of(draft, draft.plan.rings[static_cast<size_t>(ring)], ring))
    out.push_back({comment_of(arrival.what), false, arrival});
  return out;
}

int add_slots(Draft& draft, const std::string& name, int index, const Number& slots, Number elements,
              int64_t alignment) {
  const Ref& ref = draft.ref(index);
  SharedField field;
  field.name = draft.names().of(name);
  const std::vector<SharedField>& fields = draft.plan.shared.fields;
  // Slots of another part of the array have the name already.
  field.name = name_apart(field.name, [&](const std::string& taken) {
    return std::any_of(fields.begin(), fields.end(), [&](const SharedField& other) { return other.name == taken; });
  });
  field.dtype = ref.dtype;
  field.alignment = alignment;
  // A slot of another size would leave the next one unaligned.
  const int64_t bytes = bytes_of(ref.dtype, elements.value);
  if (bytes % alignment != 0) {
    const int64_t rounded = (bytes + alignment - 1) / alignment * alignment;
    elements = number(rounded * elements.value / bytes);
  }
  field.packed = is_packed(ref.dtype);
  field.dims = {slots, field.packed ? quotient(elements, number(2)) : elements};
  field.purpose = name;
  return add_field(draft, std::move(field));
}

std::vector<std::string> operand_names(const RingPlan& ring) {
  std::vector<std::string> names;
  for (const RingOperand& operand : ring.operands) names.push_back(operand.name);
  return names;
}

RingPlan ring_of_channel(Draft& draft, const tile::Program& program, tile::ChannelId id, const std::string& suffix) {
  const tile::Channel& channel = program.channel(id);
  const std::string of_cursor = cursor_of(program, id).value_or(suffix);
  const auto named = [&](const char* name, const std::string& end) {
    return end.empty() ? name : draft.names().derived(name + end);
  };
  RingPlan ring;
  ring.name = named("ring", suffix);
  ring.suffix = suffix;
  ring.cursor = named("ring", of_cursor);
  ring.slot_name = named("s", of_cursor);
  ring.slots = draft.constant(constant_name::stages + suffix, channel.slots.value_or(1), constant_line::stages);
  ring.delay = static_cast<int>(channel.delay);
  ring.moves_on = axes_of(*draft.kernel, channel);
  return ring;
}

int append_ring(Draft& draft, RingPlan ring) {
  draft.plan.rings.push_back(std::move(ring));
  return static_cast<int>(draft.plan.rings.size()) - 1;
}

int plan_staged_ring(Draft& draft, const tile::Program& program, tile::ChannelId id, const Number& from) {
  const tile::Channel& channel = program.channel(id);
  const tile::Channel::Member& member = channel.members.front();
  RingPlan ring = ring_of_channel(draft, program, id, "_" + member.name);
  ring.path = fmt::format("written by the threads, taken to memory by the {}", channel.to);
  RingOperand entry;
  entry.name = member.name;
  entry.dtype = member.dtype;
  entry.path = CopyPath::made;
  entry.way = fmt::format("written by the threads that compute it, taken to memory by the {}", channel.to);
  Number elements = number(1);
  for (const Number& size : sizes_of(draft, member.shape, member.name)) elements = product(elements, size);
  entry.bytes = bytes_number(member.dtype, elements);
  ring.bytes = entry.bytes;
  ring.operands.push_back(std::move(entry));
  const std::string each = from.value == 1 ? channel.from : "each " + channel.from;
  add_barriers(draft, program, channel, ring, {from, each}, Arrivals{number(1), channel.to});
  return append_ring(draft, std::move(ring));
}

int plan_copied_ring(Draft& draft, const tile::Program& program, tile::ChannelId id, const CopiedRing& copied,
                     const Number& consumers) {
  Plan& plan = draft.plan;
  const tile::Channel& channel = program.channel(id);
  RingPlan ring = ring_of_channel(draft, program, id, channel_suffix(program, id));
  ring.filled_by = copied.filled_by;
  int64_t bytes = 0;
  std::vector<std::string> element_texts;
  for (const CopiedRing::Operand& wanted : copied.operands) {
    std::optional<RingOperand> operand;
    const Number elements = box_elements(draft, wanted.box);
    if (wanted.is_run) {
      operand = bulk_operand(draft, wanted.name, wanted.box, ring.slots);
    } else if (copied.by_threads) {
      operand = thread_operand(draft, wanted.name, wanted.box, ring.slots, wanted.lies);
    } else {
      operand = tensor_operand(draft, wanted.name, wanted.box, wanted.lies);
      operand->field = add_slots(draft, wanted.name, wanted.box.ref, ring.slots, elements,
                                 std::max<int64_t>(kCopyAlignment, 8 * swizzle_bytes(wanted.lies.swizzle)));
    }
    // If several parts of an array are operands, each has the name of its slots.
    const std::string& slots = plan.shared.fields[static_cast<size_t>(operand->field)].name;
    if (slots != draft.names().of(operand->name)) operand->name = slots;
    element_texts.push_back(elements.text);
    bytes += operand->bytes.value;
    ring.operands.push_back(std::move(*operand));
  }
  ring.path = path_of(ring, channel.from);
  ring.bytes = number(bytes);
  if (!copied.by_threads && copied.filled_by == Issuer::one_thread) {
    ring.bytes = draft.constant(constant_name::stage_bytes + ring.suffix, bytes, constant_line::bytes,
                                stage_formula(ring, element_texts));
    plan.constants.back().type = "uint32_t";
    plan.constants.back().checked = true;
  }
  std::optional<Arrivals> empty;
  if (refilled_channels(program).count(id) > 0)
    empty = Arrivals{product(number(kWarpsOfGroup), consumers), channel.to + " warps"};
  const tile::Role& from = *tile::role_named(program, channel.from);
  add_barriers(draft, program, channel, ring, arrivals_of_copies(draft, ring, copied.by_threads, from),
               std::move(empty));
  return append_ring(draft, std::move(ring));
}

}  // namespace pallasgen
