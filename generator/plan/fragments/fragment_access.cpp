#include "fragments/fragment_access.h"

#include <algorithm>
#include <numeric>

#include "expression/index_map.h"
#include "fragments/slot_loads.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "proofs/box_access.h"

namespace pallasgen {

program::Access access_of(Draft& draft, FragmentValues& values, const tile::Box& box, tile::ValueId value,
                          int64_t most) {
  const Form& form = values.form(value);
  std::vector<int> dims;
  size_t kept = 0;
  for (const tile::BoxDim& dim : box.dims) dims.push_back(dim.size ? form.dims[kept++] : -1);
  ProvedVector vector{1, "its rows do not run along the rows of the block"};
  const Shape& held = draft.plan.fragments[static_cast<size_t>(values.fragment(value))].layout.shape;
  if (form.kind != FormKind::rows && !dims.empty() && dims.back() == static_cast<int>(held.size()) - 1) {
    vector = proved_vector(draft, box.ref, box.dims.back().first, held.back());
    vector.elements = std::min({vector.elements, form.vector, most});
  }
  tile::Box own = box;  // the part of the warpgroup
  const TypedPtr row = values.groups().first_row(form), column = values.groups().first_column(form);
  const int column_dim = form.kind == FormKind::columns ? 0 : 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (row && dims[d] == 0) advance(own.dims[d], row);
    if (column && dims[d] == column_dim) advance(own.dims[d], column);
  }
  return box_access(draft, own, dims, std::move(vector));
}

program::Load load_of(Draft& draft, FragmentValues& values, const tile::Read& read) {
  const Ref& ref = draft.ref(read.box.ref);
  program::Load node{};
  node.fragment = values.fragment(read.value);
  node.access = access_of(draft, values, read.box, read.value, read.path.vector);
  if (ref.fill) node.fill = typed_constant(ref.dtype, *ref.fill);
  return node;
}

namespace {

program::TileAccess tile_access(const Draft& draft, FragmentValues& values, int tile, tile::ValueId value,
                                const Apply* part) {
  const Form& form = values.form(value);
  const TypedPtr row = values.groups().first_row(form), column = values.groups().first_column(form);
  program::TileAccess access{tile, values.fragment(value)};
  if (!part && !row && !column) return access;
  const std::vector<Number>& dims = draft.plan.shared.fields[static_cast<size_t>(tile)].dims;
  const size_t last = dims.size() - 1;
  size_t rows = last;  // then the first dim along which the value has several elements
  const auto map = part ? index_map(part->attributes.items, part->args[0]->shape) : std::nullopt;
  for (size_t d = 0; d < dims.size(); ++d) {
    if ((map ? map->taken(d) : dims[d].value) != 1) rows = std::min(rows, d);
    access.at.push_back(map ? values.with_indices(map->dims[d].first) : index_constant(0));
  }
  const bool matrix = form.kind == FormKind::matrix;
  access.at[rows] = simplify(add(access.at[rows], row));
  TypedPtr& of_column = access.at[matrix ? last : rows];
  of_column = simplify(add(of_column, column));
  if (column && matrix) access.pitch = dims.back();
  if (!part) return access;
  const planning::SlotPart lies = planning::part_of_slot(values, *part, dims);
  if (lies.pitch.value > 1) access.pitch = lies.pitch;
  TypedPtr offset = index_constant(0);
  for (size_t d = 0; d < dims.size(); ++d) offset = add(multiply(offset, to_index(dims[d])), access.at[d]);
  // A vector begins at a multiple of its length.
  int64_t together = std::gcd(form.vector, multiple_of(offset, draft.facts));
  if (lies.pitch.value > 1) together = std::gcd(together, lies.pitch.value);
  if (together != form.vector) access.vector = number(together);
  return access;
}

}  // namespace

program::Statement store_tile(const Draft& draft, FragmentValues& values, int tile, tile::ValueId value) {
  return values.stored_once(value, {"", false, program::StoreTile{tile_access(draft, values, tile, value, nullptr)}});
}

program::Statement load_tile(const Draft& draft, FragmentValues& values, tile::ValueId value, int tile,
                             const Apply* part) {
  return {"", false, program::LoadTile{tile_access(draft, values, tile, value, part)}};
}

}  // namespace pallasgen
