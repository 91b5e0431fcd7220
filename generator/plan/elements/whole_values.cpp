// Values all of whose elements are computed at once.
#include "elements/whole_values.h"

#include <algorithm>

#include "check/aliases.h"
#include "elements/expressions.h"
#include "elements/loops.h"
#include "program/program_walk.h"
#include "proofs/reductions.h"

namespace pallasgen {

using namespace program;

namespace {

bool same_elements(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TypedPtr& x, const TypedPtr& y) { return equal(x, y); });
}

}  // namespace

bool reads_elsewhere(const Kernel& kernel, const Statements& body) {
  const auto store = std::find_if(body.begin(), body.end(), [](const Statement& statement) {
    return std::holds_alternative<StoreElement>(statement.node);
  });
  const StoreElement& out = std::get<StoreElement>(store->node);
  bool found = false;
  for_each_statement(body, [&](const Statement& statement) {
    for_each_binding(statement, [&](const Binding& binding) {
      const bool same = out.field >= 0 ? binding.kind == SlotKind::shared && binding.field == out.field
                                       : binding.kind == SlotKind::global && !binding.order &&
                                             same_buffer(kernel, binding.ref, out.ref);
      found = found || (same && !same_elements(binding.index, out.index));
    });
  });
  return found;
}

bool WholeValues::fill_tile(int field, const TypedPtr& value) {
  const std::vector<Number> sizes = sources_.sizes_of_tile(field);
  const NameScope scope(walk_.names);
  const ElementLoop elements = walk_.loop_over(sizes, value);
  const Coordinates& at = elements.at;
  Shape shape;
  for (const Number& size : sizes) shape.push_back(size.value);
  Statements body;
  StoreElement store{};
  store.field = field;
  store.index = at;
  ElementSite site{body, store.bindings, elements_of(shape)};
  store.value = expressions_.element_of(value, shape, at, site);
  if (!store.value) return false;
  body.push_back({"", false, std::move(store)});
  std::optional<int> second;
  if (reads_elsewhere(*draft_.kernel, body)) {
    const SharedField& tile = draft_.plan.shared.fields[field];
    second = sources_.add_tile(tile.name + "_next", tile.dtype, sizes);
    std::get<StoreElement>(body.back().node).field = *second;
  }
  walk_.body->push_back(for_elements(elements, std::move(body)));
  if (second) {
    Statements copy;
    StoreElement back{};
    back.field = field;
    back.index = at;
    ElementSite there{copy, back.bindings, 1};
    back.value = bind_shared(draft_.plan, *second, at, value->span, there);
    copy.push_back({"", false, std::move(back)});
    walk_.body->push_back(for_elements(elements, std::move(copy)));
  }
  return true;
}

bool WholeValues::scan(const TypedPtr& node, const Apply& apply, int field) {
  return takes_warps(*draft_.kernel, node) ? warps_.scan(node, apply, field) : loops_.scan(node, apply, field);
}

const ElementSource* WholeValues::known(const TypedPtr& node) const {
  const auto found = computed_.find(node.get());
  return found == computed_.end() ? nullptr : &found->second;
}

std::string WholeValues::wanted_name(const TypedPtr& node) const {
  if (const LocalUse* use = node->as<LocalUse>()) return draft_.names().of(use->name);
  const Apply* apply = node->as<Apply>();
  const bool tells = apply && apply->op != Op::slice && operation(apply->op).group != OpGroup::elementwise;
  const std::string what = tells ? std::string(operation(apply->op).name) : "part";
  return walk_.target.empty() ? what : walk_.target + "_" + what;
}

std::optional<ElementSource> WholeValues::materialise(const TypedPtr& node, std::string name) {
  ElementSource source;
  source.value = node;  // kept alive: it is known by its address
  if (name.empty()) name = wanted_name(node);
  const Apply* apply = node->as<Apply>();
  const bool runs = apply && is_scan(apply->op);
  const bool done = walk_.before_loops([&] {
    if (takes_warps(*draft_.kernel, node) && !runs) {
      const std::optional<ElementSource> reduced = warps_.reduce(node, name);
      source = reduced.value_or(source);
      return reduced.has_value();
    }
    if (node->shape.empty()) {
      std::vector<Binding> bindings;
      ElementSite site{*walk_.body, bindings, 1};
      const TypedPtr value = expressions_.element(node, {}, site);
      source.home = ElementHome::scalar;
      source.id = walk_.add_scalar({name}, node->dtype);
      if (value) walk_.body->push_back(set_scalar(source.id, value, std::move(bindings), true, true));
      return value != nullptr;
    }
    source = sources_.tile_source(sources_.add_tile(name, node->dtype, sources_.sizes_of(node)), node);
    return runs ? scan(node, *apply, source.id) : fill_tile(source.id, node);
  });
  if (!done) return std::nullopt;
  computed_[node.get()] = source;
  return source;
}

std::optional<ElementSource> WholeValues::load_once(const TypedPtr& node) {
  const std::string name =
      draft_.names().derived(node->as<RefRead>()->name + (node->shape.empty() ? "_cell" : "_loaded"));
  const std::vector<Number> sizes = node->shape.empty() ? std::vector<Number>{number(1)} : sources_.sizes_of(node);
  const ElementSource source = sources_.tile_source(sources_.add_tile(name, node->dtype, sizes), node);
  const Typed* outer = std::exchange(loading_, node.get());
  const bool filled = walk_.before_loops([&] { return fill_tile(source.id, node); });
  loading_ = outer;
  if (!filled) return std::nullopt;
  computed_[node.get()] = source;
  return source;
}

}  // namespace pallasgen
