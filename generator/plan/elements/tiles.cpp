// Tiles and scalars of bodies that go element by element, and the loops that fill them.
#include <algorithm>

#include "box_access.h"
#include "diagnostics/assert.h"
#include "elements/lowering.h"
#include "memory.h"
#include "reductions.h"

namespace pallasgen {

using namespace program;

std::vector<Number> ElementLowering::sizes_of_ref(int index) const {
  const Ref& ref = draft_.ref(index);
  std::vector<Number> sizes;
  for (const BlockDim& dim : ref.block) {
    if (dim.kind != BlockKind::squeezed) sizes.push_back(number_of(dim));
  }
  if (sizes.size() == ref.shape.size()) return sizes;
  sizes.clear();  // scratch has no block of its own
  for (size_t d = 0; d < ref.shape.size(); ++d) {
    sizes.push_back(d < ref.array_shape.size() ? number_of(ref.array_shape[d], ref.shape[d]) : number(ref.shape[d]));
  }
  return sizes;
}

// A shape that is made from nothing, as that of the first block with these sizes: `zeros(f32, [bm, bn])`.
Number ElementLowering::size_as_block(const Shape& shape, size_t dim) const {
  for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
    const std::vector<Number> sizes = sizes_of_ref(static_cast<int>(ref));
    const auto same = [](const Number& a, int64_t b) { return a.value == b; };
    if (std::equal(sizes.begin(), sizes.end(), shape.begin(), shape.end(), same)) return sizes[dim];
  }
  return number(shape[dim]);
}

// The size by the name that it has where it comes from: a const in the spec's block or scratch.
Number ElementLowering::size_of(const TypedPtr& node, size_t dim) const {
  const int64_t size = node->shape[dim];
  const auto checked = [&](const Number& candidate) { return candidate.value == size ? candidate : number(size); };
  if (size == 1) return number(1);
  if (const LocalUse* use = node->as<LocalUse>()) {
    const auto local = locals_.find(use->id);
    const Home home = local == locals_.end() ? Home::tile : local->second.home;
    if (home == Home::inlined) return size_of(local->second.value, dim);
    if (home == Home::box) return checked(box_sizes(draft_, local->second.box)[dim]);
    const int field = local == locals_.end() ? (tiles_.count(use->id) > 0 ? tiles_.at(use->id) : -1) : local->second.id;
    const auto tile = home == Home::tile ? tile_sizes_.find(field) : tile_sizes_.end();
    if (tile != tile_sizes_.end()) return checked(tile->second[dim]);
    return size_as_block(node->shape, dim);
  }
  if (const RefRead* read = node->as<RefRead>()) {
    const std::vector<Number> sizes = sizes_of_ref(read->ref);
    for (const Number& candidate : sizes) {
      if (read->whole ? &candidate == &sizes[dim] : candidate.value == size) return checked(candidate);
    }
    return number(size);
  }
  const auto from_trailing = [&](const TypedPtr& arg) -> std::optional<Number> {
    if (arg->shape.size() + dim < node->shape.size()) return std::nullopt;
    const size_t own = arg->shape.size() + dim - node->shape.size();
    if (arg->shape[own] != size) return std::nullopt;
    const Number found = size_of(arg, own);
    return found.text == std::to_string(size) ? std::nullopt : std::optional<Number>(found);
  };
  if (const CallFunction* call = node->as<CallFunction>()) {
    for (const TypedPtr& arg : call->args) {
      if (const auto found = from_trailing(arg)) return *found;
    }
    return number(size);
  }
  const Apply* apply = node->as<Apply>();
  if (!apply || apply->args.empty()) return size_as_block(node->shape, dim);
  const std::vector<int64_t>& axes = apply->attributes.axes;
  const auto listed = [&](size_t d) {
    return std::find(axes.begin(), axes.end(), static_cast<int64_t>(d)) != axes.end();
  };
  const TypedPtr& arg = apply->args[0];
  switch (apply->op) {
    case Op::transpose:
      return size_of(arg, axes.empty() ? node->shape.size() - 1 - dim : static_cast<size_t>(axes[dim]));
    case Op::dot: {
      const bool rows = dim + 2 == node->shape.size();
      const TypedPtr& from = apply->args[rows ? 0 : 1];
      if (dim + 2 < node->shape.size()) return number(size);
      const bool last = rows == apply->attributes.trans_a && (rows || !apply->attributes.trans_b);
      return size_of(from, from->shape.size() - (rows ? (apply->attributes.trans_a ? 1 : 2)
                                                      : (last                        ? 1
                                                         : apply->attributes.trans_b ? 2
                                                                                     : 1)));
    }
    case Op::expand_dims: {
      size_t own = 0;
      for (size_t d = 0; d < dim; ++d) own += listed(d) ? 0 : 1;
      return size_of(arg, own);
    }
    case Op::sum:
    case Op::prod:
    case Op::mean:
    case Op::max:
    case Op::min:
    case Op::any:
    case Op::all:
    case Op::argmax:
    case Op::argmin: {
      if (apply->attributes.keepdims) return size_of(arg, dim);
      size_t kept = 0;
      for (size_t d = 0; d < arg->shape.size(); ++d) {
        if (axes.empty() || listed(d)) continue;
        if (kept++ == dim) return size_of(arg, d);
      }
      return number(size);
    }
    case Op::iota:
    case Op::full:
    case Op::reshape:
    case Op::squeeze:
    case Op::concatenate:
    case Op::slice:
      return size_as_block(node->shape, dim);
    default:
      break;
  }
  for (const TypedPtr& operand : apply->args) {
    if (const auto found = from_trailing(operand)) return *found;
  }
  return number(size);
}

std::vector<Number> ElementLowering::sizes_of(const TypedPtr& node) const {
  std::vector<Number> sizes;
  for (size_t dim = 0; dim < node->shape.size(); ++dim) sizes.push_back(size_of(node, dim));
  return sizes;
}

int ElementLowering::add_tile(const std::string& name, DType dtype, const std::vector<Number>& sizes) {
  constexpr int64_t kTileAlignment = 16;  // vectors of a row start at whole ones
  SharedField field;
  const std::vector<SharedField>& others = draft_.plan.shared.fields;
  const auto taken = [&](const SharedField& other) { return other.name == field.name; };
  // A ring's operand may have the name of the array.
  do {
    field.name = names_.tile(field.name.empty() ? name : name + "_tile");
  } while (std::any_of(others.begin(), others.end(), taken));
  field.dtype = dtype;
  field.dims = sizes;
  field.alignment = kTileAlignment;
  field.purpose = field.name;
  const int index = add_field(draft_, std::move(field));
  tile_sizes_[index] = sizes;
  return index;
}

int ElementLowering::add_scalar(const std::string& name, DType dtype) {
  draft_.plan.scalars.push_back({name, dtype, nullptr});
  return static_cast<int>(draft_.plan.scalars.size()) - 1;
}

Statement ElementLowering::set_scalar(int scalar, TypedPtr value, std::vector<Binding> bindings, bool declares,
                                      bool constant) const {
  SetScalar set{};
  set.scalar = scalar;
  set.value = std::move(value);
  set.bindings = std::move(bindings);
  set.declares = declares;
  set.constant = constant;
  return {"", false, std::move(set)};
}

namespace {

// The dim of a matrix that a reduction in the value keeps, -1: none.
int kept_dim(const TypedPtr& value) {
  int kept = -1;
  walk(value, [&](const Typed& node) {
    const Apply* apply = node.as<Apply>();
    if (!apply || operation(apply->op).group != OpGroup::reduce || apply->attributes.axes.size() != 1) return;
    if (apply->args[0]->shape.size() == 2 && kept < 0) kept = apply->attributes.axes[0] == 0 ? 1 : 0;
  });
  return kept;
}

}  // namespace

ElementLowering::ElementLoop ElementLowering::loop_over(const std::vector<Number>& sizes, const TypedPtr& value) {
  ElementLoop loop;
  for (const Number& size : sizes) {
    if (size.value != 1) loop.shape.push_back(size);
  }
  const int kept = loop.shape.size() == 1 && value ? kept_dim(value) : -1;
  loop.coordinates = kept >= 0 ? std::vector<std::string>{names_.along(static_cast<size_t>(kept), 2)}
                               : names_.coordinates(loop.shape.size());
  size_t next = 0;
  for (const Number& size : sizes) {
    if (size.value == 1) {
      loop.at.push_back(index_constant(0));
      continue;
    }
    extents_[loop.coordinates[next]] = size.value;
    loop.at.push_back(variable(loop.coordinates[next++]));
  }
  return loop;
}

Statement ElementLowering::for_elements(const ElementLoop& loop, Statements body) {
  int64_t elements = 1;
  for (const Number& size : loop.shape) elements *= size.value;
  largest_ = std::max(largest_, elements);
  ForElements statement{};
  statement.shape = loop.shape;
  statement.coordinates = loop.coordinates;
  statement.body = std::move(body);
  return {"", false, std::move(statement)};
}

void ElementLowering::quote(Statements& list, size_t first, const std::string& text) {
  if (first >= list.size() || text.empty()) return;
  list[first].comment = text;
  list[first].quotes = true;
}

SymbolFacts ElementLowering::facts() const {
  SymbolFacts facts = draft_.facts;
  facts.minimum = [this, known = facts.minimum](const Symbol& symbol) -> std::optional<int64_t> {
    if (symbol.kind != SymbolKind::loop || symbol.id >= 0) return known(symbol);
    return extents_.count(symbol.name) > 0 ? std::optional<int64_t>(0) : std::nullopt;
  };
  facts.maximum = [this, known = facts.maximum](const Symbol& symbol) -> std::optional<int64_t> {
    if (symbol.kind != SymbolKind::loop || symbol.id >= 0) return known(symbol);
    const auto extent = extents_.find(symbol.name);
    return extent == extents_.end() ? std::nullopt : std::optional<int64_t>(extent->second - 1);
  };
  return facts;
}

std::string ElementLowering::wanted_name(const TypedPtr& node) const {
  if (const LocalUse* use = node->as<LocalUse>()) return draft_.names().of(use->name);
  const Apply* apply = node->as<Apply>();
  const std::string what =
      apply && operation(apply->op).group != OpGroup::elementwise ? std::string(operation(apply->op).name) : "part";
  return target_.empty() ? what : target_ + "_" + what;
}

std::optional<ElementLowering::Source> ElementLowering::materialise(const TypedPtr& node, std::string name) {
  Source source;
  source.value = node;  // kept alive: it is known by its address
  if (name.empty()) name = wanted_name(node);
  const Apply* apply = node->as<Apply>();
  const bool runs = apply && is_scan(apply->op);
  const bool done = before_loops([&] {
    if (takes_warps(node) && !runs) {
      const std::optional<Source> reduced = reduce_by_warps(node, name);
      source = reduced.value_or(source);
      return reduced.has_value();
    }
    if (node->shape.empty()) {
      std::vector<Binding> bindings;
      ElementSite site{*body_, bindings, 1};
      const TypedPtr value = element(node, {}, site);
      source.home = Home::scalar;
      source.id = add_scalar(names_.take({name}), node->dtype);
      if (value) body_->push_back(set_scalar(source.id, value, std::move(bindings), true, true));
      return value != nullptr;
    }
    source.home = Home::tile;
    source.id = add_tile(name, node->dtype, sizes_of(node));
    source.name = draft_.plan.shared.fields[source.id].name;
    if (!runs) return fill_tile(source.id, node);
    return takes_warps(node) ? scan_by_warps(node, *apply, source.id) : scan(node, *apply, source.id);
  });
  if (!done) return std::nullopt;
  computed_[node.get()] = source;
  return source;
}

std::optional<ElementLowering::Source> ElementLowering::load_once(const TypedPtr& node) {
  Source source;
  source.home = Home::tile;
  source.value = node;
  const std::string name =
      draft_.names().derived(node->as<RefRead>()->name + (node->shape.empty() ? "_cell" : "_loaded"));
  source.id = add_tile(name, node->dtype, node->shape.empty() ? std::vector<Number>{number(1)} : sizes_of(node));
  source.name = draft_.plan.shared.fields[source.id].name;
  const Typed* outer = std::exchange(loading_, node.get());
  const bool filled = before_loops([&] { return fill_tile(source.id, node); });
  loading_ = outer;
  if (!filled) return std::nullopt;
  computed_[node.get()] = source;
  return source;
}

}  // namespace pallasgen
