#include "proofs/tensor_copies.h"

#include <fmt/format.h>

#include <numeric>

#include "diagnostics/assert.h"
#include "program/constant_names.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "program/spec_names.h"
#include "proofs/box_access.h"

namespace pallasgen {

Swizzle swizzle_of(int bytes) {
  return bytes == 128 ? Swizzle::k128 : bytes == 64 ? Swizzle::k64 : bytes == 32 ? Swizzle::k32 : Swizzle::none;
}

int swizzle_bytes(Swizzle swizzle) {
  return swizzle == Swizzle::k128 ? 128 : swizzle == Swizzle::k64 ? 64 : swizzle == Swizzle::k32 ? 32 : 0;
}

std::string swizzle_text(Swizzle swizzle) {
  return swizzle == Swizzle::none ? "Swizzle::kNone" : fmt::format("Swizzle::k{}B", swizzle_bytes(swizzle));
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

// Returns the columns of one tensor copy, which its swizzle limits, as a constant that operands with as many share.
Number columns_of_box(Draft& draft, const Ref& ref, Swizzle swizzle) {
  const int64_t columns = swizzle_bytes(swizzle) * 8 / info(ref.dtype).bits;
  std::string name = "kSlabColumns";
  for (const PlanConstant& known : draft.plan.constants) {
    if (known.name != name) continue;
    if (known.value == columns) return number(columns, name);
    name += "_" + ref.name;
  }
  return draft.constant(name, columns, constant_line::column_box, {},
                        fmt::format("one tensor copy: a {}-byte swizzle atom wide", swizzle_bytes(swizzle)));
}

}  // namespace

namespace {

// Returns the tensor map for boxes of these sizes; adds it if there is none yet.
int map_of(Draft& draft, int index, std::vector<Number> sizes, const SlotLayout& lies) {
  const Ref& ref = draft.ref(index);
  std::vector<TensorMapPlan>& maps = draft.plan.maps;
  const auto same = [](const Number& a, const Number& b) { return a.value == b.value && a.text == b.text; };
  for (size_t i = 0; i < maps.size(); ++i) {
    const TensorMapPlan& map = maps[i];
    if (map.ref == index && !map.is_store && map.swizzle == lies.swizzle && map.tf32 == lies.tf32 &&
        std::equal(map.box.begin(), map.box.end(), sizes.begin(), sizes.end(), same))
      return static_cast<int>(i);
  }
  TensorMapPlan map;
  map.name = name_apart(draft.names().derived("map_" + ref.name), [&](const std::string& name) {
    return std::any_of(maps.begin(), maps.end(), [&](const TensorMapPlan& other) { return other.name == name; });
  });
  map.ref = index;
  map.extents = ref.array_shape;
  map.strides = ref.strides;
  map.box = std::move(sizes);
  map.swizzle = lies.swizzle;
  map.tf32 = lies.tf32;
  maps.push_back(std::move(map));
  return static_cast<int>(maps.size()) - 1;
}

}  // namespace

std::vector<TypedPtr> box_coordinates(const RingOperand& operand, std::vector<TypedPtr> first) {
  if (operand.column_boxes.value > 1) {
    TypedPtr& column = first[static_cast<size_t>(operand.column_dim)];
    column = add(column, multiply(variable(operand.column_box_variable), to_index(operand.column_box_width)));
  }
  if (operand.row_boxes.value > 1) {
    TypedPtr& row = first[static_cast<size_t>(operand.row_dim)];
    row = add(row, multiply(variable(operand.row_variable), to_index(operand.row_box)));
  }
  return first;
}

RingOperand tensor_operand(Draft& draft, const std::string& name, const tile::Box& box, const SlotLayout& lies) {
  const Swizzle swizzle = lies.swizzle;
  const int index = box.ref;
  const Ref& ref = draft.ref(index);
  const int rank = static_cast<int>(box.dims.size());
  RingOperand operand;
  operand.name = name;
  operand.dtype = ref.dtype;
  operand.ref = index;
  operand.way = "TMA tensor copy";
  operand.swizzle = swizzle;
  operand.major = lies.major;
  for (const tile::BoxDim& dim : box.dims) operand.coordinates.push_back(dim.first);
  operand.column_box_variable = "i";
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
  operand.bytes = bytes_number(ref.dtype, elements);

  Number& width = sizes.back();
  const bool flat = operand.row_dim == operand.column_dim;
  operand.column_box_width = width;
  operand.column_boxes = number(1);
  operand.width = width;
  operand.extent = flat ? number(1) : sizes[operand.row_dim];
  if (swizzle != Swizzle::none && bytes_of(ref.dtype, width.value) > swizzle_bytes(swizzle)) {
    operand.column_box_width = columns_of_box(draft, ref, swizzle);
    operand.column_boxes = quotient(width, operand.column_box_width);
    width = operand.column_box_width;
  }
  operand.column_box_elements = number(1);
  for (int d = 0; d < rank; ++d) operand.column_box_elements = product(operand.column_box_elements, sizes[d]);

  // Every box lands at the start of a swizzle atom, or at the alignment that the destination of a copy needs.
  const int64_t row_bytes = bytes_of(ref.dtype, operand.column_box_elements.value / sizes[operand.row_dim].value);
  const int64_t row_box = rows_of_box(*draft.target, sizes[operand.row_dim].value, row_bytes, swizzle != Swizzle::none);
  operand.row_boxes = number(1);
  operand.row_box = sizes[operand.row_dim];
  operand.row_box_elements = operand.column_box_elements;
  if (row_box > 0 && row_box < sizes[operand.row_dim].value) {
    const Number rows = number(row_box);
    operand.row_boxes = quotient(sizes[operand.row_dim], rows);
    operand.row_box = rows;
    sizes[operand.row_dim] = rows;
    operand.row_box_elements = number(1);
    for (int d = 0; d < rank; ++d) operand.row_box_elements = product(operand.row_box_elements, sizes[d]);
  }
  // The passes have proved that such boxes exist.
  for (const Number& size : sizes) {
    const bool halved = is_packed(ref.dtype) && &size == &sizes.back();
    PALLASGEN_ASSERT(size.value / (halved ? 2 : 1) <= draft.target->max_box && row_box > 0, ref.span);
  }

  operand.box_coordinates = box_coordinates(operand, operand.coordinates);
  if (operand.column_boxes.value > 1)
    operand.box_offset = multiply(variable(operand.column_box_variable), to_index(operand.column_box_elements));
  if (operand.row_boxes.value > 1) {
    operand.box_offset =
        add(operand.box_offset, multiply(variable(operand.row_variable), to_index(operand.row_box_elements)));
  }

  operand.map = map_of(draft, index, std::move(sizes), lies);
  return operand;
}

}  // namespace pallasgen
