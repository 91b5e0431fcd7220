#include "expression/index_map.h"

#include <algorithm>
#include <numeric>

namespace pallasgen {

namespace {

IndexMapDim follows_dim(int dim) { return {{dim}}; }

bool lists_dim(const std::vector<int64_t>& axes, size_t dim) {
  return std::find(axes.begin(), axes.end(), static_cast<int64_t>(dim)) != axes.end();
}

// The dims of the operand follow those of the result in turn, without the listed ones of either.
IndexMap in_turn(const Typed& expr, const std::vector<int64_t>& added, const std::vector<int64_t>& dropped) {
  IndexMap map{expr.as<Apply>()->args[0]->shape, expr.shape, {}};
  int next = 0;
  while (lists_dim(added, static_cast<size_t>(next))) ++next;
  for (size_t d = 0; d < map.operand.size(); ++d) {
    map.dims.push_back(lists_dim(dropped, d) ? IndexMapDim{} : follows_dim(next++));
    while (lists_dim(added, static_cast<size_t>(next))) ++next;
  }
  return map;
}

using MaybeMap = std::optional<IndexMap>;

// How the map of a shape operation follows from its attributes, and its attributes from the map.
struct ShapeRow {
  Op op;
  MaybeMap (*map)(const Typed& expr, const OpAttributes& of);
  void (*describe)(const IndexMap& map, OpAttributes& out);
};

void describe_nothing(const IndexMap&, OpAttributes&) {}

MaybeMap map_of_broadcast(const Typed& expr, const OpAttributes&) {
  return broadcast_map(expr.as<Apply>()->args[0]->shape, expr.shape);
}

MaybeMap map_of_transpose(const Typed& expr, const OpAttributes& of) {
  IndexMap map{expr.as<Apply>()->args[0]->shape, expr.shape, std::vector<IndexMapDim>(expr.shape.size())};
  for (size_t d = 0; d < map.dims.size(); ++d)
    map.dims[static_cast<size_t>(of.axes[d])] = follows_dim(static_cast<int>(d));
  return map;
}

void describe_order(const IndexMap& map, OpAttributes& out) {
  out.axes.clear();
  for (size_t d = 0; d < map.result.size(); ++d) out.axes.push_back(map.operand_dim(d));
}

void describe_items(const IndexMap& map, OpAttributes& out) {
  out.items.clear();
  size_t next = 0;
  const auto first_of = [](const IndexMapDim& dim) { return dim.first ? dim.first : index_constant(0); };
  for (size_t d = 0; d < map.dims.size(); ++d) {
    const IndexMapDim& dim = map.dims[d];
    if (dim.along.empty()) {
      out.items.emplace_back(IndexInteger{first_of(dim)});
      continue;
    }
    for (; next < static_cast<size_t>(dim.along[0]); ++next) out.items.emplace_back(IndexNewAxis{});
    out.items.emplace_back(IndexSlice{first_of(dim), map.result[next++], dim.step, dim.size_text});
  }
  for (; next < map.result.size(); ++next) out.items.emplace_back(IndexNewAxis{});
}

const ShapeRow kShapeRows[] = {
    {Op::reshape,
     [](const Typed& expr, const OpAttributes&) -> MaybeMap {
       return reshape_map(expr.as<Apply>()->args[0]->shape, expr.shape);
     },
     describe_nothing},
    {Op::transpose, map_of_transpose, describe_order},
    {Op::broadcast_to, map_of_broadcast, describe_nothing},
    {Op::full, map_of_broadcast, describe_nothing},
    {Op::expand_dims, [](const Typed& expr, const OpAttributes& of) -> MaybeMap { return in_turn(expr, of.axes, {}); },
     [](const IndexMap& map, OpAttributes& out) { out.axes = map.added(); }},
    {Op::squeeze, [](const Typed& expr, const OpAttributes& of) -> MaybeMap { return in_turn(expr, {}, of.axes); },
     [](const IndexMap& map, OpAttributes& out) { out.axes = map.dropped(); }},
    {Op::slice,
     [](const Typed& expr, const OpAttributes& of) { return index_map(of.items, expr.as<Apply>()->args[0]->shape); },
     describe_items},
};

const ShapeRow* shape_row(Op op) {
  const ShapeRow* row =
      std::find_if(std::begin(kShapeRows), std::end(kShapeRows), [&](const ShapeRow& each) { return each.op == op; });
  return row == std::end(kShapeRows) ? nullptr : row;
}

bool is_plain(const IndexMapDim& dim) { return dim.along.size() <= 1 && dim.divisor == 1 && dim.modulus == 0; }
bool is_from_zero(const IndexMapDim& dim) { return !dim.first || constant_value(dim.first) == 0; }

}  // namespace

std::vector<TypedPtr> IndexMap::operand_indices(const std::vector<TypedPtr>& at) const {
  std::vector<TypedPtr> indices;
  for (const IndexMapDim& dim : dims) {
    TypedPtr index;
    for (const int from : dim.along) {
      const auto d = static_cast<size_t>(from);
      index = index ? index_apply(Op::add, index_apply(Op::multiply, index, index_constant(result[d])), at[d]) : at[d];
    }
    if (!index) index = index_constant(0);
    if (dim.divisor != 1) index = index_apply(Op::floor_divide, index, index_constant(dim.divisor));
    if (dim.modulus != 0) index = index_apply(Op::modulo, index, index_constant(dim.modulus));
    if (dim.step != 1) index = index_apply(Op::multiply, index, index_constant(dim.step));
    indices.push_back(dim.first ? index_apply(Op::add, dim.first, index) : index);
  }
  return indices;
}

int IndexMap::result_dim(size_t d) const {
  const IndexMapDim& dim = dims[d];
  return is_plain(dim) && !dim.along.empty() ? dim.along[0] : -1;
}

std::vector<int> IndexMap::result_dims() const {
  std::vector<int> out;
  for (size_t d = 0; d < dims.size(); ++d) out.push_back(result_dim(d));
  return out;
}

int IndexMap::operand_dim(size_t d) const {
  for (size_t own = 0; own < dims.size(); ++own) {
    if (result_dim(own) == static_cast<int>(d)) return static_cast<int>(own);
  }
  return -1;
}

int64_t IndexMap::taken(size_t d) const {
  const int from = result_dim(d);
  return from >= 0 ? result[static_cast<size_t>(from)] : dims[d].along.empty() ? 1 : operand[d];
}

Shape IndexMap::taken() const {
  Shape out;
  for (size_t d = 0; d < dims.size(); ++d) out.push_back(taken(d));
  return out;
}

bool IndexMap::takes_all(size_t d) const {
  const IndexMapDim& dim = dims[d];
  return taken(d) == operand[d] && is_from_zero(dim) && dim.step == 1;
}

bool IndexMap::takes_all() const { return takes_all_but(dims.size()); }

bool IndexMap::takes_all_but(size_t d) const {
  for (size_t own = 0; own < dims.size(); ++own) {
    if (own != d && !takes_all(own)) return false;
  }
  return true;
}

bool IndexMap::takes_part(size_t d, const TypedPtr& first, int64_t size) const {
  return d < dims.size() && is_in_order() && dropped().empty() && takes_all_but(d) && dims[d].step == 1 &&
         taken(d) == size && dims[d].first && equal(dims[d].first, first);
}

bool IndexMap::is_dimwise() const { return std::all_of(dims.begin(), dims.end(), is_plain); }

bool IndexMap::is_in_order() const {
  int last = -1;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int from = result_dim(d);
    if (from < 0 ? !dims[d].along.empty() : from < last) return false;
    last = std::max(last, from);
  }
  return true;
}

std::vector<int64_t> IndexMap::added() const {
  std::vector<int64_t> out(result.size());
  std::iota(out.begin(), out.end(), 0);
  for (const IndexMapDim& dim : dims)
    for (const int from : dim.along) std::erase(out, from);
  return out;
}

std::vector<int64_t> IndexMap::dropped() const {
  std::vector<int64_t> out;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d].along.empty()) out.push_back(static_cast<int64_t>(d));
  }
  return out;
}

std::optional<IndexMap> index_map(const Typed& expr) {
  const Apply* apply = expr.as<Apply>();
  const ShapeRow* row = apply ? shape_row(apply->op) : nullptr;
  return row ? row->map(expr, apply->attributes) : std::nullopt;
}

TypedPtr permuted_operand(const Typed& expr) {
  const std::optional<IndexMap> map = index_map(expr);
  return map && map->is_permuted() ? expr.as<Apply>()->args[0] : nullptr;
}

std::optional<IndexMap> reduction_map(const Typed& expr) {
  const Apply* apply = expr.as<Apply>();
  if (!apply || operation(apply->op).group != OpGroup::reduce) return std::nullopt;
  std::vector<int64_t> axes = apply->attributes.axes;
  for (size_t d = 0; apply->attributes.axes.empty() && d < apply->args[0]->shape.size(); ++d)
    axes.push_back(static_cast<int64_t>(d));
  const bool kept = apply->attributes.keepdims || is_scan(apply->op);
  return in_turn(expr, kept ? axes : std::vector<int64_t>(), axes);
}

std::optional<IndexMap> index_map(const std::vector<IndexItem>& items, const Shape& operand) {
  IndexMap map{operand, {}, {}};
  for (const IndexItem& item : items) {
    if (std::holds_alternative<IndexNewAxis>(item)) map.result.push_back(1);
    if (std::holds_alternative<IndexGather>(item)) return std::nullopt;
    if (const auto* at = std::get_if<IndexInteger>(&item)) map.dims.push_back({{}, 1, 0, at->value});
    const auto* range = std::get_if<IndexSlice>(&item);
    if (!range) continue;
    map.dims.push_back({{static_cast<int>(map.result.size())}, 1, 0, range->start, range->step, range->size_text});
    map.result.push_back(range->size);
  }
  if (map.dims.size() != operand.size()) return std::nullopt;
  return map;
}

IndexMap broadcast_map(const Shape& operand, const Shape& result) {
  IndexMap map{operand, result, {}};
  for (size_t d = 0; d < operand.size(); ++d) {
    const size_t from = d + result.size() - operand.size();
    map.dims.push_back(operand[d] == 1 && result[from] != 1 ? IndexMapDim{} : follows_dim(static_cast<int>(from)));
  }
  return map;
}

// Groups only the dims that the reshape mixes, so that every other dim follows one alone.
IndexMap reshape_map(const Shape& operand, const Shape& result) {
  IndexMap map{operand, result, std::vector<IndexMapDim>(operand.size())};
  size_t i = 0, j = 0;
  while (i < operand.size() || j < result.size()) {
    const size_t first = i;
    size_t from = j;
    int64_t a = i < operand.size() ? operand[i++] : 1, b = j < result.size() ? result[j++] : 1;
    while (a != b) {
      if (a < b && i < operand.size())
        a *= operand[i++];
      else if (j < result.size())
        b *= result[j++];
      else
        break;  // an empty array
    }
    std::vector<int> along;
    for (; from < j; ++from) {
      if (result[from] != 1) along.push_back(static_cast<int>(from));
    }
    int64_t divisor = a;
    for (size_t d = first; d < i; ++d) {
      divisor = operand[d] == 0 ? 0 : divisor / operand[d];
      if (operand[d] != 1) map.dims[d] = {along, divisor, divisor * operand[d] == a ? 0 : operand[d]};
    }
  }
  return map;
}

std::optional<IndexMap> composed(const IndexMap& outer, const IndexMap& inner) {
  IndexMap map{inner.operand, outer.result, {}};
  for (const IndexMapDim& dim : inner.dims) {
    IndexMapDim made = dim;
    made.along.clear();
    const bool plain = is_plain(dim);
    for (const int between : dim.along) {
      const auto m = static_cast<size_t>(between);
      const IndexMapDim& from = outer.dims[m];
      if (!plain && (outer.result_dim(m) < 0 || !outer.takes_all(m))) return std::nullopt;
      made.along.insert(made.along.end(), from.along.begin(), from.along.end());
      if (!plain) continue;
      const TypedPtr skipped =
          from.first ? index_apply(Op::multiply, from.first, index_constant(dim.step)) : index_constant(0);
      made = {made.along, from.divisor, from.modulus, skipped, dim.step * from.step};
      if (dim.first) made.first = index_apply(Op::add, dim.first, skipped);
      if (outer.taken(m) == outer.operand[m]) made.size_text = dim.size_text;
    }
    map.dims.push_back(std::move(made));
  }
  return map;
}

IndexMap part_map(const Shape& operand, size_t dim, const TypedPtr& first, std::optional<int64_t> size) {
  IndexMap map{operand, {}, {}};
  for (size_t d = 0; d < operand.size(); ++d) {
    const bool drops = d == dim && !size;
    map.dims.push_back(drops ? IndexMapDim{} : follows_dim(static_cast<int>(map.result.size())));
    if (d == dim) map.dims[d].first = first;
    if (!drops) map.result.push_back(d == dim ? *size : operand[d]);
  }
  return map;
}

TypedPtr shape_operation(const Typed& like, const TypedPtr& operand, const IndexMap& map) {
  Apply made = *like.as<Apply>();
  made.args = {operand};
  shape_row(made.op)->describe(map, made.attributes);
  return make_typed(like.span, like.dtype, map.result, std::move(made));
}

TypedPtr of_part(const Typed& slice, IndexMap map, const TypedPtr& part) {
  if (map.result.size() == part->shape.size()) return part;
  map.operand = part->shape;
  std::erase_if(map.dims, [](const IndexMapDim& dim) { return dim.along.empty(); });
  for (IndexMapDim& dim : map.dims) dim.first = nullptr;
  return shape_operation(slice, part, map);
}

TypedPtr sliced(const TypedPtr& operand, const IndexMap& map) {
  Apply slice{Op::slice, {operand}, {}};
  describe_items(map, slice.attributes);
  return make_typed(operand->span, operand->dtype, map.result, std::move(slice));
}

TypedPtr transposed(const TypedPtr& matrix) {
  OpAttributes swap;
  swap.axes = {1, 0};
  return make_typed(matrix->span, matrix->dtype, {matrix->shape[1], matrix->shape[0]},
                    Apply{Op::transpose, {matrix}, std::move(swap)});
}

}  // namespace pallasgen
