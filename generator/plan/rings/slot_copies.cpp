#include "rings/slot_copies.h"

#include <fmt/format.h>

#include "plan/words.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "proofs/access.h"
#include "proofs/box_access.h"
#include "rings/rings.h"

namespace pallasgen {

namespace {

constexpr int64_t kSlotAlignment = 16;  // bytes, of a slot: for cp.async and loads of 16 bytes
constexpr int64_t kLeastAsync = 4;      // bytes of the smallest cp.async (PTX ISA 8.6, cp.async)

int64_t bytes_at_once(const Draft& draft, const program::Access& access) {
  return bytes_of(draft.ref(access.ref).dtype, access.vector.value);
}

}  // namespace

program::Access slot_access(const Draft& draft, const tile::Box& box) {
  ProvedVector vector{1, "its rows do not run along the rows of the block"};
  if (box.dims.empty()) {
    vector.why = "it is one element";
  } else if (const tile::BoxDim& last = box.dims.back(); last.size) {
    vector = proved_vector(draft, box.ref, last.first, *last.size);
  }
  return box_access(draft, box, block_dims(box), std::move(vector));
}

bool is_one_access(const Draft& draft, const tile::Box& box) {
  return draft.plan.launch.cluster.value == 1 && box_elements(draft, box).value == slot_access(draft, box).vector.value;
}

RingOperand thread_operand(Draft& draft, const std::string& name, const tile::Box& box, const Number& slots,
                           const SlotLayout& lies) {
  const program::Access access = slot_access(draft, box);
  const Ref& ref = draft.ref(access.ref);
  // Each CTA of a cluster has a part of the block.
  const Number& ctas = draft.plan.launch.cluster;
  const Number block = box_elements(draft, box), elements = ctas.value == 1 ? block : quotient(block, ctas);
  const int64_t at_once = bytes_at_once(draft, access);
  RingOperand operand;
  operand.name = name;
  operand.dtype = ref.dtype;
  operand.ref = access.ref;
  operand.path = at_once >= kLeastAsync ? CopyPath::async : CopyPath::registers;
  operand.way = fmt::format("{}, {} at a time",
                            operand.path == CopyPath::async ? "cp.async" : "loads and stores to shared memory",
                            counted(at_once, "byte"));
  operand.bytes = bytes_number(ref.dtype, elements);
  if (lies.major != Major::none) {
    const std::vector<Number> sizes = slot_sizes(draft, box, {0, 0});
    operand.swizzle = lies.swizzle;
    operand.major = lies.major;
    operand.extent = sizes.front();
    operand.width = sizes.back();
  }
  operand.field = add_slots(draft, name, access.ref, slots, elements,
                            std::max<int64_t>(kSlotAlignment, 8 * swizzle_bytes(operand.swizzle)));
  draft.decide("copies of " + name, operand.way, access.reason);
  return operand;
}

program::AsyncCopy slot_copy(const Draft& draft, int ring, int operand, const TypedPtr& ahead, const tile::Box& box,
                             program::Access access) {
  const Ref& ref = draft.ref(access.ref);
  program::AsyncCopy copy{ring, operand, ahead, box_sizes(draft, box), std::move(access), nullptr};
  const bool is_run = draft.plan.rings[ring].operands[operand].path == CopyPath::bulk;
  if (is_run ? copy.access.masked : !reads_zero_outside(ref))
    copy.fill = ref.fill ? typed_constant(ref.dtype, *ref.fill) : zero_of(ref.dtype);
  return copy;
}

}  // namespace pallasgen
