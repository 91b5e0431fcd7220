#include "fragment_access.h"

#include <algorithm>

#include "box_access.h"

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
  tile::Box own = box;  // of the warpgroup
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

program::Statement store_tile(FragmentValues& values, int tile, tile::ValueId value) {
  const auto [row, column] = values.groups().place_in_tile(values.form(value));
  return values.stored_once(value, {"", false, program::StoreTile{{tile, values.fragment(value), row, column}}});
}

program::Statement load_tile(FragmentValues& values, tile::ValueId value, int tile) {
  const auto [row, column] = values.groups().place_in_tile(values.form(value));
  return {"", false, program::LoadTile{{tile, values.fragment(value), row, column}}};
}

}  // namespace pallasgen
