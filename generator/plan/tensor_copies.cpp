#include "tensor_copies.h"

#include <fmt/format.h>

#include <numeric>

#include "box_access.h"

namespace pallasgen {

namespace {

constexpr int64_t kUnit = 16;  // bytes: rows and boxes of tensor copies (PTX ISA 8.6, 5.5.3; cuTensorMapEncodeTiled)

bool refuse_operand(Draft& draft, const Ref& ref, Span span, const std::string& what) {
  draft.refuse(kPlanOperand, span, fmt::format("'{}' {}: not planned yet for copies by TMA", ref.name, what))
      .note("without `pipeline` the threads read it themselves");
  return false;
}

}  // namespace

Swizzle swizzle_of(int bytes) {
  return bytes == 128 ? Swizzle::k128 : bytes == 64 ? Swizzle::k64 : bytes == 32 ? Swizzle::k32 : Swizzle::none;
}

int swizzle_bytes(Swizzle swizzle) {
  return swizzle == Swizzle::k128 ? 128 : swizzle == Swizzle::k64 ? 64 : swizzle == Swizzle::k32 ? 32 : 0;
}

std::string swizzle_text(Swizzle swizzle) {
  return swizzle == Swizzle::none ? "Swizzle::kNone" : fmt::format("Swizzle::k{}B", swizzle_bytes(swizzle));
}

bool pitch_is_proved(const Draft& draft, int index) { return pitch_is_proved(draft.ref(index), draft.facts); }

std::string pitch_remedy(const Draft& draft, int index) {
  const Ref& ref = draft.ref(index);
  const TypedPtr& extent = ref.array_shape.back();
  const int64_t multiple = needed_multiple(ref);
  if (!ref.strides.empty())
    return fmt::format("strides that are known multiples of {}, none of them 0, and contiguous rows work", multiple);
  if (const Symbol* symbol = extent->as<Symbol>(); symbol && symbol->kind == SymbolKind::dim) {
    const int64_t stated = draft.kernel->dims[symbol->id].multiple_of;
    return fmt::format("`{}: {{multiple_of: {}}}` states what is missing", symbol->name, std::lcm(stated, multiple));
  }
  return fmt::format("{} must be a known multiple of {}", to_string(extent), multiple);
}

bool check_tensor_copy(Draft& draft, int index, BlockReaders readers) {
  const Ref& ref = draft.ref(index);
  bool fine = true;
  const bool whole = readers == BlockReaders::fragments;
  if (whole && !reads_zero_outside(ref)) fine = refuse_operand(draft, ref, ref.span, "has a fill other than 0");
  if (info(ref.dtype).bits < 8) fine = refuse_operand(draft, ref, ref.type_span, "has elements of less than a byte");
  if (static_cast<int>(ref.array_shape.size()) > draft.target->max_tensor_rank)
    fine =
        refuse_operand(draft, ref, ref.type_span, fmt::format("has more than {} dims", draft.target->max_tensor_rank));
  if (ref.array_shape.empty()) return refuse_operand(draft, ref, ref.type_span, "has no dims");
  for (const BlockDim& dim : ref.block) {
    if (whole && dim.kind == BlockKind::bounded_slice)
      fine = refuse_operand(draft, ref, dim.span, "has a bounded_slice");
    if (dim.kind == BlockKind::whole && dim.size < 0)
      fine = refuse_operand(draft, ref, ref.span, "has a block of runtime size");
  }
  if (!fine) return false;
  const BlockDim& last = ref.block.back();
  const int64_t width = last.kind == BlockKind::squeezed ? 1 : last.size;
  if (width * info(ref.dtype).bits % (8 * kUnit) != 0) {
    draft
        .refuse(kPlanBox, ref.block_span.source ? ref.block_span : ref.span,
                fmt::format(
                    "block of '{}': its minor dim is {} {} elements, {} bytes, and tensor copies move whole units of "
                    "{} bytes",
                    ref.name, width, name_of(ref.dtype), bytes_of(ref.dtype, width), kUnit))
        .note(fmt::format("a minor dim of {} works",
                          (width + needed_multiple(ref) - 1) / needed_multiple(ref) * needed_multiple(ref)));
    return false;
  }
  if (!pitch_is_proved(draft, index)) {
    draft
        .refuse(
            kPlanPitch, ref.type_span.source ? ref.type_span : ref.span,
            fmt::format("rows of '{}' are {} elements of {} bytes, and nothing says that they are whole units of {} "
                        "bytes, which tensor copies need",
                        ref.name, to_string(ref.array_shape.back()), info(ref.dtype).bits / 8, kUnit))
        .note(pitch_remedy(draft, index));
    return false;
  }
  return true;
}

std::vector<TypedPtr> block_coordinates(const Draft& draft, int index) {
  std::vector<TypedPtr> coordinates;
  for (const BlockDim& dim : draft.ref(index).block) {
    const TypedPtr place = dim.index ? dim.index : index_constant(0);
    switch (dim.kind) {
      case BlockKind::blocked:
        coordinates.push_back(multiply(place, to_index(number_of(dim))));
        break;
      case BlockKind::element:
        coordinates.push_back(dim.low == 0 ? place : index_apply(Op::subtract, place, index_constant(dim.low)));
        break;
      case BlockKind::squeezed:
      case BlockKind::bounded_slice:
        coordinates.push_back(place);
        break;
      case BlockKind::whole:
        coordinates.push_back(index_constant(0));
        break;
    }
  }
  return coordinates;
}

namespace {

// The columns of one tensor copy, which its swizzle limits, as a constant: one for all operands that agree on it.
Number slab_columns(Draft& draft, const Ref& ref, Swizzle swizzle) {
  const int64_t columns = swizzle_bytes(swizzle) * 8 / info(ref.dtype).bits;
  std::string name = "kSlabColumns";
  for (const PlanConstant& known : draft.plan.constants) {
    if (known.name != name) continue;
    if (known.value == columns) return number(columns, name);
    name += "_" + ref.name;
  }
  return draft.constant(name, columns, constant_line::slab, {},
                        fmt::format("one tensor copy: a {}-byte swizzle atom wide", swizzle_bytes(swizzle)));
}

}  // namespace

std::vector<TypedPtr> box_coordinates(const RingOperand& operand, std::vector<TypedPtr> first) {
  if (operand.slabs.value > 1) {
    TypedPtr& column = first[static_cast<size_t>(operand.column_dim)];
    column = add(column, multiply(variable(operand.slab_variable), to_index(operand.slab_width)));
  }
  if (operand.row_boxes.value > 1) {
    TypedPtr& row = first[static_cast<size_t>(operand.row_dim)];
    row = add(row, multiply(variable(operand.row_variable), to_index(operand.row_box)));
  }
  return first;
}

std::optional<RingOperand> tensor_operand(Draft& draft, const tile::Box& box, Swizzle swizzle, Major major) {
  const int index = box.ref;
  const Ref& ref = draft.ref(index);
  const int rank = static_cast<int>(box.dims.size());
  RingOperand operand;
  operand.ref = index;
  operand.way = "TMA tensor copy";
  operand.swizzle = swizzle;
  operand.major = major;
  for (const tile::BoxDim& dim : box.dims) operand.coordinates.push_back(dim.first);
  operand.slab_variable = "i";
  operand.column_dim = rank - 1;

  const std::vector<Number> kept = box_sizes(draft, box);
  size_t next = 0;
  std::vector<Number> sizes;
  Number elements = number(1);
  for (int d = 0; d < rank; ++d) {
    sizes.push_back(box.dims[d].size ? kept[next++] : number(1));
    elements = product(elements, sizes.back());
    if (operand.row_dim < 0 && sizes.back().value > 1) operand.row_dim = d;
  }
  if (operand.row_dim < 0) operand.row_dim = rank - 1;
  const int64_t bytes = info(ref.dtype).bits / 8;
  operand.bytes = {elements.value * bytes, fmt::format("{} * sizeof({})", elements.text, element_type(ref.dtype))};

  Number& width = sizes.back();
  const bool flat = operand.row_dim == operand.column_dim;
  operand.slab_width = width;
  operand.slabs = number(1);
  operand.extent = flat ? number(1) : sizes[operand.row_dim];
  if (swizzle != Swizzle::none && width.value * bytes > swizzle_bytes(swizzle)) {
    operand.slab_width = slab_columns(draft, ref, swizzle);
    operand.slabs = quotient(width, operand.slab_width);
    width = operand.slab_width;
  }
  operand.slab_elements = number(1);
  for (int d = 0; d < rank; ++d) operand.slab_elements = product(operand.slab_elements, sizes[d]);

  // Every box lands at a whole swizzle atom, or at what the destination of a copy asks for.
  const int64_t row_bytes = operand.slab_elements.value / sizes[operand.row_dim].value * bytes;
  const int64_t row_box = rows_of_box(*draft.target, sizes[operand.row_dim].value, row_bytes, swizzle != Swizzle::none);
  operand.row_boxes = number(1);
  operand.row_box = sizes[operand.row_dim];
  operand.row_box_elements = operand.slab_elements;
  if (row_box > 0 && row_box < sizes[operand.row_dim].value) {
    const Number rows = number(row_box);
    operand.row_boxes = quotient(sizes[operand.row_dim], rows);
    operand.row_box = rows;
    sizes[operand.row_dim] = rows;
    operand.row_box_elements = number(1);
    for (int d = 0; d < rank; ++d) operand.row_box_elements = product(operand.row_box_elements, sizes[d]);
  }
  for (int d = 0; d < rank; ++d) {
    if (sizes[d].value <= draft.target->max_box && row_box > 0) continue;
    draft
        .refuse(kPlanBox,
                d < static_cast<int>(ref.block.size()) && ref.block[d].span.source ? ref.block[d].span : ref.span,
                fmt::format(
                    "block of '{}': {} elements along dim {} are over the {} of one tensor copy, and no equal parts "
                    "of it fit",
                    ref.name, sizes[d].value, d, draft.target->max_box))
        .note(fmt::format("{} works", draft.target->max_box));
    return std::nullopt;
  }

  operand.box_coordinates = box_coordinates(operand, operand.coordinates);
  if (operand.slabs.value > 1)
    operand.box_offset = multiply(variable(operand.slab_variable), to_index(operand.slab_elements));
  if (operand.row_boxes.value > 1) {
    operand.box_offset =
        add(operand.box_offset, multiply(variable(operand.row_variable), to_index(operand.row_box_elements)));
  }

  TensorMapPlan map;
  map.name = draft.names().derived("map_" + ref.name);
  map.ref = index;
  map.extents = ref.array_shape;
  map.strides = ref.strides;
  map.box = std::move(sizes);
  map.swizzle = swizzle;
  operand.map = static_cast<int>(draft.plan.maps.size());
  draft.plan.maps.push_back(std::move(map));
  return operand;
}

}  // namespace pallasgen
