#include "rings.h"

#include <fmt/format.h>

#include <algorithm>

#include "memory.h"
#include "slot_copies.h"
#include "tensor_copies.h"

namespace pallasgen {

namespace {

constexpr int64_t kProducerThreads = 128;
constexpr int64_t kCopyAlignment = 128;  // of a tensor copy's destination (PTX ISA 8.6, cp.async.bulk.tensor)

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

std::vector<std::string> operand_names(const Draft& draft, const RingPlan& ring) {
  std::vector<std::string> names;
  for (const RingOperand& operand : ring.operands) names.push_back(draft.ref(operand.ref).name);
  return names;
}

// (bm * bk + bn * bk) * sizeof(bf16) where all elements are of one size, else a sum of products with sizeof.
std::string stage_formula(const Draft& draft, const RingPlan& ring, const std::vector<std::string>& element_texts) {
  std::string elements, bytes;
  bool same = true;
  for (const RingOperand& operand : ring.operands) {
    const DType dtype = draft.ref(operand.ref).dtype;
    same = same && dtype == draft.ref(ring.operands.front().ref).dtype;
    elements += (elements.empty() ? "" : " + ") + element_texts[&operand - ring.operands.data()];
    bytes += (bytes.empty() ? "" : " + ") + operand.bytes.text;
  }
  if (!same) return bytes;
  const bool one = ring.operands.size() == 1 && elements.find('+') == std::string::npos;
  return fmt::format("{} * sizeof({})", one ? elements : "(" + elements + ")",
                     element_type(draft.ref(ring.operands.front().ref).dtype));
}

// How each thread that fills a slot arrives: once for its cp.async, once for what it stores.
std::vector<program::ArriveFilled> arrivals_of(const Draft& draft, const RingPlan& ring, int index) {
  bool copies = false, stores = false;
  for (const RingOperand& operand : ring.operands) {
    copies = copies || operand.path == CopyPath::async;
    stores = stores || operand.path == CopyPath::registers || !reads_zero_outside(draft.ref(operand.ref));
  }
  std::vector<program::ArriveFilled> arrivals;
  if (copies) arrivals.push_back({index, false});
  if (stores) arrivals.push_back({index, true});
  return arrivals;
}

}  // namespace

Number block_elements(const Ref& ref) {
  Number elements = number(1);
  for (const BlockDim& dim : ref.block) {
    if (dim.kind != BlockKind::squeezed) elements = product(elements, number_of(dim));
  }
  return elements;
}

int add_slots(Draft& draft, int index, const Number& slots, Number elements, int64_t alignment) {
  const Ref& ref = draft.ref(index);
  SharedField field;
  field.name = cpp_name(ref.name);
  field.dtype = ref.dtype;
  field.alignment = alignment;
  // A slot of another size would leave the next one unaligned.
  const int64_t bytes = bytes_of(ref.dtype, elements.value);
  if (bytes % alignment != 0) {
    const int64_t rounded = (bytes + alignment - 1) / alignment * alignment;
    elements = number(rounded * elements.value / bytes);
  }
  field.dims = {slots, elements};
  field.purpose = ref.name;
  return add_field(draft, std::move(field));
}

int plan_ring(Draft& draft, const RingRequest& request) {
  Plan& plan = draft.plan;
  RingPlan ring;
  ring.name = "ring" + request.suffix;
  ring.slot_name = "s" + request.suffix;
  ring.slots = request.slots;
  ring.delay = request.delay;
  ring.path = request.by_threads ? "copied by the producer's threads" : "TMA tensor copy";
  ring.moves_on = request.axes;
  int64_t bytes = 0;
  std::vector<std::string> element_texts;
  for (const RingRequest::Operand& wanted : request.operands) {
    if (request.by_threads) {
      ring.operands.push_back(thread_operand(draft, slot_access(draft, wanted.ref), request.slots));
      bytes += ring.operands.back().bytes.value;
      continue;
    }
    std::optional<RingOperand> operand = tensor_operand(draft, wanted.ref, wanted.swizzle, wanted.major);
    if (!operand) return -1;
    const Number elements = block_elements(draft.ref(wanted.ref));
    element_texts.push_back(elements.text);
    operand->field = add_slots(draft, wanted.ref, request.slots, elements,
                               std::max<int64_t>(kCopyAlignment, 8 * swizzle_bytes(wanted.swizzle)));
    bytes += operand->bytes.value;
    ring.operands.push_back(std::move(*operand));
  }
  if (request.by_threads) {
    ring.bytes = number(bytes);
  } else {
    ring.bytes = draft.constant(constant_name::stage_bytes + request.suffix, bytes, constant_line::bytes,
                                stage_formula(draft, ring, element_texts));
    plan.constants.back().type = "uint32_t";
    plan.constants.back().checked = true;
  }

  const std::string names = listed(operand_names(draft, ring));
  const std::string of_what = request.axes.empty() ? "of this tile" : "of this step";
  BarrierPlan full;
  full.name = "full" + request.suffix;
  full.slots = request.slots;
  if (request.by_threads) {
    full.count = number(kProducerThreads * static_cast<int64_t>(arrivals_of(draft, ring, -1).size()));
    full.completes_after = counted(full.count.value, "arrival");
    full.arrived_by = "producer";
  } else {
    full.count = number(1);
    full.tx_bytes = ring.bytes;
    full.completes_after = fmt::format("1 arrival + {} bytes", grouped(bytes));
    full.arrived_by = "producer, TMA";
  }
  full.waited_by = "consumers";
  full.means = fmt::format("stage {} holds {} {}", ring.slot_name, names, of_what);
  ring.full = add_barrier(draft, std::move(full));
  BarrierPlan empty;
  empty.name = "empty" + request.suffix;
  empty.slots = request.slots;
  empty.count = request.consumers;
  empty.completes_after = counted(request.consumers.value, "arrival");
  empty.arrived_by = request.consumers.value == 1 ? "consumer" : "each consumer";
  empty.waited_by = "producer";
  empty.means = fmt::format("stage {} may be overwritten", ring.slot_name);
  ring.empty = add_barrier(draft, std::move(empty));
  plan.rings.push_back(std::move(ring));
  return static_cast<int>(plan.rings.size()) - 1;
}

program::Statements in_steps(const std::vector<int>& axes, const std::vector<int>& rings, program::Statements body) {
  for (size_t i = axes.size(); i-- > 0;) {
    program::Statements outer;
    const bool innermost = i + 1 == axes.size();
    outer.push_back({"", false, program::ForSteps{axes[i], innermost ? rings : std::vector<int>{}, std::move(body)}});
    body = std::move(outer);
  }
  return body;
}

RolePlan producer_role(const Draft& draft, const std::vector<int>& rings) {
  using namespace program;
  const bool by_threads = std::any_of(rings.begin(), rings.end(), [&](int index) {
    return draft.plan.rings[index].operands.front().path != CopyPath::tensor;
  });
  Statements step;
  for (int index : rings) {
    const RingPlan& ring = draft.plan.rings[index];
    Statements copies;
    copies.push_back({fmt::format("stage {} is free; the first lap passes at once", ring.slot_name), false,
                      BarrierWait{ring.empty, index, true}});
    const bool tensor = ring.operands.front().path == CopyPath::tensor;
    if (tensor) copies.push_back({"", false, ExpectBytes{ring.full, index}});
    for (size_t i = 0; i < ring.operands.size(); ++i) {
      const int operand = static_cast<int>(i);
      if (tensor)
        copies.push_back({"", false, TensorLoad{index, operand}});
      else
        copies.push_back(
            {"", false, slot_copy(draft, index, operand, index_constant(0), slot_access(draft, ring.operands[i].ref))});
    }
    if (!tensor) {
      for (const ArriveFilled& arrival : arrivals_of(draft, ring, index)) {
        const std::string comment =
            arrival.stores ? "this thread has stored its part" : "when this thread's copies are complete";
        copies.push_back({comment, false, arrival});
      }
    }
    if (tensor && by_threads) {
      step.push_back({"", false, If{variable("leader"), std::move(copies), {}}});
    } else {
      for (Statement& statement : copies) step.push_back(std::move(statement));
    }
  }
  const std::vector<int>& axes = draft.plan.rings[rings.front()].moves_on;
  Statements tile = in_steps(axes, rings, std::move(step));
  RolePlan role;
  role.name = "producer";
  role.purpose = by_threads ? "its threads copy" : "one thread issues the copies";
  role.first_warp = 0;
  role.warps = kProducerThreads / 32;
  role.groups = number(1);
  role.one_thread = !by_threads;
  role.rings = rings;
  role.program.push_back({"", false, ForTiles{std::move(tile), axes.empty() ? rings : std::vector<int>{}}});
  return role;
}

}  // namespace pallasgen
