// Stores of a body, element by element.
#include "elements/stores.h"

#include <fmt/format.h>

#include "check/aliases.h"
#include "elements/expressions.h"
#include "elements/places.h"
#include "elements/whole_values.h"
#include "fragments/values.h"
#include "proofs/block_access.h"
#include "proofs/element_indexing.h"

namespace pallasgen {

using namespace program;

namespace {

// Collects the integers that an index expression reads from memory.
void collect_loads(const TypedPtr& expr, std::vector<TypedPtr>& reads) {
  if (expr && expr->as<RefRead>()) reads.push_back(expr);
  if (const Apply* apply = expr ? expr->as<Apply>() : nullptr) {
    for (const TypedPtr& arg : apply->args) collect_loads(arg, reads);
  }
}

}  // namespace

bool ElementStores::store_whole_scalar(const tile::Statement& statement, const StoreStmt& store,
                                       const ElementSource& to) {
  const size_t first = walk_.body->size();
  std::vector<Binding> bindings;
  ElementSite site{*walk_.body, bindings, 1};
  TypedPtr value = store.value;
  const Span span = value->span;
  if (store.op) {
    value = make_typed(span, draft_.ref(store.ref).dtype, {},
                       Apply{*store.op,
                             {make_typed(span, draft_.ref(store.ref).dtype, {},
                                         RefRead{store.ref, {}, true, {}, {}, draft_.ref(store.ref).name}),
                              value},
                             {}});
  }
  TypedPtr scalar = expressions_.element(value, {}, site);
  if (!scalar) return false;
  if (store.mask) {
    const TypedPtr mask = expressions_.element(store.mask, {}, site);
    if (!mask) return false;
    scalar = make_typed(span, scalar->dtype, {},
                        Apply{Op::where, {mask, scalar, bind_scalar(draft_.plan, to.id, span, site)}, {}});
  }
  walk_.body->push_back(set_scalar(to.id, scalar, std::move(bindings), false, false));
  walk_.quote(first, statement.origin);
  return true;
}

bool ElementStores::store(const tile::Statement& statement, const StoreStmt& store) {
  const Ref& ref = draft_.ref(store.ref);
  const ElementSource to = sources_.source_of_ref(store.ref);
  walk_.target = draft_.names().of(ref.name);
  if (to.home == ElementHome::scalar) return store_whole_scalar(statement, store, to);
  const Shape shape = store.whole ? ref.shape : selected_by(store.index).shape;
  for (int64_t size : shape) {
    if (size >= 0) continue;
    walk_.refuse(statement.span,
                 fmt::format("a store to the whole of '{}', whose size is known only at launch", ref.name),
                 "a block, or a slice ds(start, n), works");
    return false;
  }
  TypedPtr value = store.value;
  if (store.op) {
    RefRead old{store.ref, store.index, store.whole, {}, {}, ref.name};
    value = make_typed(value->span, ref.dtype, shape,
                       Apply{*store.op, {make_typed(value->span, ref.dtype, shape, std::move(old)), value}, {}});
  }
  std::vector<Number> sizes;
  const std::vector<Number> block = sources_.sizes_of_ref(store.ref);
  for (size_t d = 0; d < shape.size(); ++d) {
    const size_t own = value->shape.size() + d - shape.size();
    Number size =
        store.whole || (block.size() == shape.size() && block[d].value == shape[d]) ? block[d] : number(shape[d]);
    if (value->shape.size() + d >= shape.size() && value->shape[own] == shape[d] &&
        size.text == std::to_string(size.value))
      size = sources_.size_of(value, own);
    sizes.push_back(size);
  }
  const std::vector<IndexItem> items = store.index;
  const TypedPtr mask = store.mask;
  const size_t first = walk_.body->size();
  const NameScope scope(walk_.names);
  const ElementLoop elements = walk_.loop_over(sizes, value);
  const Coordinates& at = elements.at;
  Statements body;
  const auto fill = [&] {
    const NameScope inside(walk_.names);
    body.clear();
    StoreElement out{};
    ElementSite site{body, out.bindings, elements_of(shape)};
    if (mask) {
      out.condition = expressions_.element_of(mask, shape, at, site);
      if (!out.condition) return false;
    }
    const std::optional<Coordinates> inner =
        store.whole ? at : places_.indexed(items, at, site, places_.range_of(store.ref, out.condition));
    if (!inner) return false;
    out.value = expressions_.element_of(value, shape, at, site);
    if (!out.value) return false;
    if (to.home == ElementHome::tile) {
      out.field = to.id;
      out.index = in_tile(*inner);
    } else {
      const ArrayPlace place = places_.place_of(store.ref, *inner, site);
      out.ref = store.ref;
      if (store.order != pallasgen::MemoryOrder::weak) out.order = order_of(store.order);
      out.index = place.index;
      out.may_leave = place.may_leave;
      walk_.check_nan(store.ref, out, place, site);
      out.condition = both(place.inside, std::move(out.condition));
    }
    out.condition = where_inside(std::move(out.condition), site);
    body.push_back({"", false, std::move(out)});
    return true;
  };
  if (!fill() || !read_before(statement.span, store.ref, {value, mask}, items, body, fill)) return false;
  walk_.body->push_back(for_elements(elements, std::move(body)));
  walk_.quote(first, statement.origin);
  return true;
}

// Makes the statement read the buffer that it writes before it writes any of it. `body`: an iteration of the loop that
// stores; `fill` makes it anew after operands that read the buffer elsewhere are computed before the loop.
bool ElementStores::read_before(Span span, int ref, std::vector<TypedPtr> operands, const std::vector<IndexItem>& items,
                                const Statements& body, const std::function<bool()>& fill) {
  if (!reads_elsewhere(*draft_.kernel, body)) return true;
  for (const IndexItem& item : items) {
    if (const auto* integer = std::get_if<IndexInteger>(&item)) collect_loads(integer->value, operands);
    if (const auto* slice = std::get_if<IndexSlice>(&item)) collect_loads(slice->start, operands);
    if (const auto* gather = std::get_if<IndexGather>(&item)) operands.push_back(gather->indices);
  }
  for (const TypedPtr& operand : operands) {
    bool reads = false;
    walk(operand, [&](const Typed& node) {
      const RefRead* read = node.as<RefRead>();
      reads = reads || (read && same_buffer(*draft_.kernel, read->ref, ref));
    });
    if (reads && !whole_.known(operand) && !whole_.materialise(operand)) return false;
  }
  if (!fill()) return false;
  if (!reads_elsewhere(*draft_.kernel, body)) return true;
  walk_.refuse(span, fmt::format("a statement that reads '{}' elsewhere while it writes it", draft_.ref(ref).name),
               "bind what it reads to a name first");
  return false;
}

}  // namespace pallasgen
