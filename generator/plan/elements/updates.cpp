// Atomic updates.
#include <fmt/format.h>

#include "elements/expressions.h"
#include "elements/places.h"
#include "elements/stores.h"
#include "proofs/block_access.h"
#include "proofs/element_indexing.h"

namespace pallasgen {

using namespace program;

namespace {

AtomicKind atomic_kind(AtomicOp op) {
  switch (op) {
    case AtomicOp::add:
      return AtomicKind::add;
    case AtomicOp::max:
      return AtomicKind::max;
    case AtomicOp::min:
      return AtomicKind::min;
    case AtomicOp::bit_and:
      return AtomicKind::bit_and;
    case AtomicOp::bit_or:
      return AtomicKind::bit_or;
    case AtomicOp::bit_xor:
      return AtomicKind::bit_xor;
    case AtomicOp::exchange:
      return AtomicKind::exchange;
    case AtomicOp::compare_exchange:
      break;
  }
  return AtomicKind::compare_exchange;
}

AtomicScope atomic_scope(MemoryScope scope) {
  return scope == MemoryScope::block    ? AtomicScope::cta
         : scope == MemoryScope::device ? AtomicScope::device
                                        : AtomicScope::system;
}

}  // namespace

// Returns the size of a dim of the update, by the name that the value or an index has for it.
Number ElementStores::size_of_update(const AtomicStmt& atomic, const Shape& shape, size_t dim) const {
  Number size = number(shape[dim]);
  const auto take = [&](const TypedPtr& of) {
    const bool unnamed = size.text == std::to_string(size.value);
    if (unnamed && of && of->shape == shape) size = sources_.size_of(of, dim);
  };
  take(atomic.value);
  for (const IndexItem& item : atomic.index) {
    if (const auto* gather = std::get_if<IndexGather>(&item)) take(gather->indices);
  }
  return size;
}

void ElementStores::update(const tile::Statement& statement, const AtomicStmt& atomic) {
  const Ref& ref = draft_.ref(atomic.ref);
  const ElementSource to = sources_.source_of_ref(atomic.ref);
  walk_.target = draft_.names().of(ref.name);
  const size_t first = walk_.body->size();
  const Shape shape = atomic.whole ? ref.shape : selected_by(atomic.index).shape;
  const TypedPtr value = atomic.value;
  std::vector<Number> sizes;
  const std::vector<Number> block = sources_.sizes_of_ref(atomic.ref);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0) {
      walk_.refuse(statement.span,
                   fmt::format("an atomic on the whole of '{}', whose size is known only at launch", ref.name),
                   "a block, or a slice ds(start, n), works");
      return;
    }
    sizes.push_back(atomic.whole ? block[d] : size_of_update(atomic, shape, d));
  }
  // The old elements go into a tile, from which all threads then read the old value if it is a number.
  int old_tile = -1, old_scalar = -1;
  if (atomic.old >= 0)
    old_tile = is_number(walk_.program.value({atomic.old}))
                   ? sources_.add_tile(draft_.names().derived(atomic.old_name + "_cell"), ref.dtype,
                                       shape.empty() ? std::vector<Number>{number(1)} : sizes)
                   : sources_.tile_of({atomic.old});
  {
    const NameScope scope(walk_.names);
    const ElementLoop elements = walk_.loop_over(sizes, value);
    const Coordinates& at = elements.at;
    Statements body;
    {
      const NameScope inside(walk_.names);
      StoreElement out{};
      ElementSite site{body, out.bindings};
      const auto operand = [&](const TypedPtr& expr) { return expressions_.element_of(expr, shape, at, site); };
      if (atomic.mask) out.condition = operand(atomic.mask);
      const Coordinates inner =
          atomic.whole ? at : places_.indexed(atomic.index, at, site, places_.range_of(atomic.ref, out.condition));
      out.value = operand(value);
      AtomicUpdate update{};
      update.kind = atomic_kind(atomic.op);
      update.scope = atomic_scope(atomic.scope);
      update.order = order_of(atomic.order);
      if (atomic.compare) update.compare = operand(atomic.compare);
      if (to.home == ElementHome::memory) {
        const ArrayPlace place = places_.place_of(atomic.ref, inner, site);
        out.ref = atomic.ref;
        out.index = place.index;
        out.may_leave = place.may_leave;
        out.condition = both(place.inside, std::move(out.condition));
      } else {
        out.field = to.id;
        out.index = in_tile(inner);
      }
      out.condition = where_inside(std::move(out.condition), site);
      if (old_tile >= 0) update.old_scalar = old_scalar = walk_.add_scalar({"before", "old"}, ref.dtype);
      out.atomic = update;
      body.push_back({"", false, std::move(out)});
    }
    if (old_tile >= 0) {
      StoreElement keep{};
      keep.field = old_tile;
      keep.index = in_tile(at);
      ElementSite there{body, keep.bindings};
      keep.value = bind_scalar(draft_.plan, old_scalar, statement.span, there);
      body.push_back({"", false, std::move(keep)});
    }
    walk_.add_stores(elements, std::move(body));
  }
  walk_.quote(first, statement.origin);
  if (old_tile < 0 || !is_number(walk_.program.value({atomic.old}))) return;
  std::vector<Binding> bindings;
  ElementSite site{*walk_.body, bindings};
  const Coordinates only = in_tile(Coordinates(shape.size(), index_constant(0)));
  const TypedPtr cell = bind_shared(draft_.plan, old_tile, only, statement.span, site);
  walk_.set_number({atomic.old}, cell, std::move(bindings));
}

}  // namespace pallasgen
