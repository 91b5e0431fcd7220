// Stores of a body, element by element.
#include "elements/stores.h"

#include <fmt/format.h>

#include "elements/expressions.h"
#include "elements/places.h"
#include "fragments/values.h"
#include "proofs/block_access.h"
#include "proofs/element_indexing.h"

namespace pallasgen {

using namespace program;

void ElementStores::store_whole_scalar(const tile::Statement& statement, const StoreStmt& store,
                                       const ElementSource& to) {
  const size_t first = walk_.body->size();
  std::vector<Binding> bindings;
  ElementSite site{*walk_.body, bindings};
  TypedPtr scalar = expressions_.element(store.value, {}, site);
  if (store.mask) {
    const TypedPtr mask = expressions_.element(store.mask, {}, site);
    const Span span = store.value->span;
    scalar = make_typed(span, scalar->dtype, {},
                        Apply{Op::where, {mask, scalar, bind_scalar(draft_.plan, to.id, span, site)}, {}});
  }
  walk_.body->push_back(set_scalar(to.id, scalar, std::move(bindings), false, false));
  walk_.quote(first, statement.origin);
}

void ElementStores::store(const tile::Statement& statement, const StoreStmt& store) {
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
    return;
  }
  const TypedPtr& value = store.value;
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
  const size_t first = walk_.body->size();
  const NameScope scope(walk_.names);
  const ElementLoop elements = walk_.loop_over(sizes, value);
  const Coordinates& at = elements.at;
  Statements body;
  {
    const NameScope inside(walk_.names);
    StoreElement out{};
    ElementSite site{body, out.bindings};
    if (store.mask) out.condition = expressions_.element_of(store.mask, shape, at, site);
    const Coordinates inner =
        store.whole ? at : places_.indexed(store.index, at, site, places_.range_of(store.ref, out.condition));
    out.value = expressions_.element_of(value, shape, at, site);
    if (to.home == ElementHome::tile) {
      out.field = to.id;
      out.index = in_tile(inner);
    } else {
      const ArrayPlace place = places_.place_of(store.ref, inner, site);
      out.ref = store.ref;
      if (store.order != pallasgen::MemoryOrder::weak) out.order = order_of(store.order);
      out.index = place.index;
      out.may_leave = place.may_leave;
      walk_.check_nan(store.ref, out, place, site);
      out.condition = both(place.inside, std::move(out.condition));
    }
    out.condition = where_inside(std::move(out.condition), site);
    body.push_back({"", false, std::move(out)});
  }
  walk_.add_stores(elements, std::move(body));
  walk_.quote(first, statement.origin);
}

}  // namespace pallasgen
