#include "bulk_copies.h"

#include <fmt/format.h>

#include "block_access.h"
#include "rings.h"
#include "slot_copies.h"
#include "tensor_copies.h"

namespace pallasgen {

namespace {

constexpr int64_t kUnit = 16;  // bytes: addresses and sizes of bulk copies (PTX ISA 8.6, cp.async.bulk)

// Elements from one index of dim `d` to the next: what is known to divide them, in parts of `unit` elements.
int64_t stride_modulo(const Draft& draft, const Ref& ref, size_t d, int64_t unit) {
  if (!ref.strides.empty()) return multiple_of(ref.strides[d], draft.facts) % unit;
  int64_t known = 1;
  for (size_t inner = d + 1; inner < ref.array_shape.size(); ++inner)
    known = known * (multiple_of(ref.array_shape[inner], draft.facts) % unit) % unit;
  return known;
}

bool is_zero(const Draft& draft, const TypedPtr& expr) {
  const Bounds range = bounds(expr, draft.facts);
  return range.minimum == 0 && range.maximum == 0;
}

// The elements of the block, where they have no gaps between them; `why` they do otherwise.
std::optional<int64_t> run_length(const Draft& draft, const Ref& ref, const std::vector<TypedPtr>& first,
                                  std::string& why) {
  int64_t length = 1;
  bool whole = true;  // the dims so far are the array's, whole
  for (size_t d = ref.block.size(); d-- > 0;) {
    const BlockDim& dim = ref.block[d];
    const int64_t size = dim.kind == BlockKind::squeezed ? 1 : dim.size;
    if (size != 1 && !whole) {
      why = fmt::format("along dim {} its parts do not follow one another in memory", d);
      return std::nullopt;
    }
    if (size != 1 && !ref.strides.empty() && constant_value(ref.strides[d]) != length) {
      why = fmt::format("nothing says that the stride of dim {} is {}", d, length);
      return std::nullopt;
    }
    length *= size;
    whole = whole && dim.kind != BlockKind::bounded_slice && constant_value(ref.array_shape[d]) == size &&
            is_zero(draft, first[d]);
  }
  return length;
}

}  // namespace

ProvedRun proved_run(const Draft& draft, int index) {
  const Ref& ref = draft.ref(index);
  const auto missing = [](std::string what) { return ProvedRun{false, std::move(what)}; };
  if (!draft.target->bulk) return missing(fmt::format("{} has no bulk copies", draft.target->name));
  const std::vector<TypedPtr> first = block_coordinates(draft, index);
  std::string why;
  const std::optional<int64_t> length = run_length(draft, ref, first, why);
  if (!length) return missing(std::move(why));
  const int64_t bytes = bytes_of(ref.dtype, *length), unit = needed_multiple(ref);
  if (bytes % kUnit != 0) return missing(fmt::format("its {} bytes are no multiple of {}", grouped(bytes), kUnit));
  for (size_t d = 0; d < first.size(); ++d) {
    const std::optional<int64_t> least = bounds(first[d], draft.facts).minimum;
    if (!least || *least < 0) return missing(fmt::format("it may begin before the array, along dim {}", d));
    if (multiple_of(first[d], draft.facts) % unit * stride_modulo(draft, ref, d, unit) % unit != 0)
      return missing(fmt::format("nothing says that {} steps along dim {} are a multiple of {} bytes",
                                 to_string(first[d]), d, kUnit));
  }
  return {true, fmt::format("its block is one run of {} bytes, and begins at multiples of {}; the launcher checks the "
                            "pointer",
                            grouped(bytes), kUnit)};
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
