#include "rings/bulk_copies.h"

#include <fmt/format.h>

#include "plan/words.h"
#include "program/numbers.h"
#include "proofs/box_access.h"
#include "rings/rings.h"

namespace pallasgen {

namespace {

constexpr int64_t kBulkUnit = 16;  // bytes: alignment and unit of bulk copies (PTX ISA 8.6, cp.async.bulk)

}  // namespace

program::Access run_access(const Draft& draft, const tile::Box& box) {
  const Ref& ref = draft.ref(box.ref);
  program::Access access = box_access(draft, box, block_dims(box), {needed_multiple(ref), ""});
  access.reason = proved_run(ref, box, draft.facts, *draft.target).why;
  access.masked = false;
  for (size_t d = 0; d < access.dims.size(); ++d) {
    program::AccessDim& dim = access.dims[d];
    dim.may_pass_end = box.dims[d].limit || box.dims[d].may_leave;
    access.masked = access.masked || dim.may_pass_end;
  }
  return access;
}

RingOperand bulk_operand(Draft& draft, const std::string& name, const tile::Box& box, const Number& slots) {
  const program::Access access = run_access(draft, box);
  const Ref& ref = draft.ref(access.ref);
  RingOperand operand;
  operand.name = name;
  operand.dtype = ref.dtype;
  operand.ref = access.ref;
  const Number elements = box_elements(draft, box);
  operand.path = CopyPath::bulk;
  operand.bytes = bytes_number(ref.dtype, elements);
  operand.way = fmt::format("bulk copies of {}{} bytes", access.masked ? "up to " : "", grouped(operand.bytes.value));
  operand.field = add_slots(draft, name, access.ref, slots, elements, kBulkUnit);
  draft.decide("copies of " + name, operand.way,
               access.reason + (access.masked ? "; the lanes of a warp store what is past the end of the array" : ""));
  return operand;
}

}  // namespace pallasgen
