#include "bulk_copies.h"

#include <fmt/format.h>

#include "block_access.h"
#include "rings.h"
#include "slot_copies.h"
#include "tensor_copies.h"

namespace pallasgen {

namespace {

constexpr int64_t kUnit = 16;  // bytes: addresses and sizes of bulk copies (PTX ISA 8.6, cp.async.bulk)

}  // namespace

Proof proved_run(const Draft& draft, int index) {
  const Ref& ref = draft.ref(index);
  tile::Box box{index, {}};
  for (const TypedPtr& first : block_coordinates(draft, index)) {
    const BlockDim& dim = ref.block[box.dims.size()];
    tile::BoxDim entry{first, {}, {}, true, dim.kind == BlockKind::bounded_slice ? dim.slice_size : nullptr};
    if (dim.kind != BlockKind::squeezed) entry.size = dim.size;
    box.dims.push_back(std::move(entry));
  }
  return proved_run(ref, box, draft.facts, *draft.target);
}

program::Access run_access(const Draft& draft, int index) {
  program::Access access = slot_access(draft, index);
  access.vector = number(needed_multiple(draft.ref(index)));
  access.reason = proved_run(draft, index).why;
  access.masked = false;
  for (size_t d = 0; d < access.dims.size(); ++d) {
    program::AccessDim& dim = access.dims[d];
    dim.may_pass_end = dim.size || !block_stays_inside(draft, index, d, dim.offset, draft.facts);
    access.masked = access.masked || dim.may_pass_end;
  }
  return access;
}

RingOperand bulk_operand(Draft& draft, const program::Access& access, const Number& slots) {
  const Ref& ref = draft.ref(access.ref);
  const Number elements = block_elements(ref);
  RingOperand operand;
  operand.ref = access.ref;
  operand.path = CopyPath::bulk;
  operand.bytes = {bytes_of(ref.dtype, elements.value),
                   fmt::format("{} * sizeof({})", elements.text, element_type(ref.dtype))};
  operand.way = fmt::format("bulk copies of {}{} bytes", access.masked ? "up to " : "", grouped(operand.bytes.value));
  operand.field = add_slots(draft, access.ref, slots, elements, kUnit);
  draft.decide("copies of " + ref.name, operand.way,
               access.reason + (access.masked ? "; the lanes of a warp store what is past the end of the array" : ""));
  return operand;
}

}  // namespace pallasgen
