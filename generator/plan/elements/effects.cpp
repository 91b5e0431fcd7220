// Atomic updates.
#include <fmt/format.h>

#include "block_access.h"
#include "diagnostics/assert.h"
#include "element_indexing.h"
#include "elements/lowering.h"

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

bool ElementLowering::take_atomic(const tile::Statement& statement, const AtomicStmt& atomic) {
  const Ref& ref = draft_.ref(atomic.ref);
  const Source to = refs_.at(atomic.ref);
  target_ = draft_.names().of(ref.name);
  const size_t first = body_->size();
  const Shape shape = atomic.whole ? ref.shape : selected_by(atomic.index).shape;
  const TypedPtr value = atomic.value;
  std::vector<Number> sizes;
  const std::vector<Number> block = sizes_of_ref(atomic.ref);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0) {
      refuse(statement.span,
             fmt::format("an atomic on the whole of '{}', whose size is known only at launch", ref.name),
             "a block, or a slice ds(start, n), works");
      return false;
    }
    sizes.push_back(atomic.whole ? block[d] : number(shape[d]));
  }
  // What was there before goes into a tile, of which a single one is then read by all threads.
  int old_tile = -1, old_scalar = -1;
  if (atomic.old >= 0)
    old_tile = is_number(program_.value({atomic.old}))
                   ? add_tile(draft_.names().derived(atomic.old_name + "_cell"), ref.dtype,
                              shape.empty() ? std::vector<Number>{number(1)} : sizes)
                   : tile_of({atomic.old});
  {
    const NameScope scope(names_);
    const ElementLoop elements = loop_over(sizes, value);
    const Coordinates& at = elements.at;
    const std::vector<IndexItem> items = atomic.index;
    const TypedPtr mask = atomic.mask, compare = atomic.compare;
    Statements body;
    const auto fill = [&] {
      const NameScope inside(names_);
      body.clear();
      StoreElement out{};
      ElementSite site{body, out.bindings, elements_of(shape)};
      const auto operand = [&](const TypedPtr& expr) {
        return element(expr, broadcast_at(expr->shape, shape, at), site);
      };
      if (mask) {
        out.condition = operand(mask);
        if (!out.condition) return false;
      }
      const std::optional<Coordinates> inner =
          atomic.whole ? at : indexed(items, at, site, range_of(atomic.ref, out.condition));
      if (!inner) return false;
      out.value = operand(value);
      AtomicUpdate update{};
      update.kind = atomic_kind(atomic.op);
      update.scope = atomic_scope(atomic.scope);
      update.order = order_of(atomic.order);
      if (compare) update.compare = operand(compare);
      if (!out.value || (compare && !update.compare)) return false;
      if (to.home == Home::memory) {
        const ArrayPlace place = place_of(atomic.ref, *inner, site);
        out.ref = atomic.ref;
        out.index = place.index;
        out.may_leave = place.may_leave;
        if (place.inside)
          out.condition = out.condition ? apply({}, Op::logical_and, DType::boolean, {}, {place.inside, out.condition})
                                        : place.inside;
      } else {
        out.field = to.id;
        out.index = in_tile(*inner);
      }
      out.condition = where_inside(std::move(out.condition), site);
      if (old_tile >= 0) update.old_scalar = old_scalar = add_scalar(names_.take({"before", "old"}), ref.dtype);
      out.atomic = update;
      body.push_back({"", false, std::move(out)});
      return true;
    };
    if (!fill() || !read_before(statement.span, atomic.ref, {value, mask, compare}, items, body, fill)) return false;
    if (old_tile >= 0) {
      StoreElement keep{};
      keep.field = old_tile;
      keep.index = in_tile(at);
      ElementSite there{body, keep.bindings, 1};
      keep.value = bind_scalar(old_scalar, statement.span, there);
      body.push_back({"", false, std::move(keep)});
    }
    body_->push_back(for_elements(elements, std::move(body)));
  }
  quote(*body_, first, statement.origin);
  if (old_tile < 0) return true;
  if (!is_number(program_.value({atomic.old}))) return true;
  std::vector<Binding> bindings;
  ElementSite site{*body_, bindings, 1};
  Source cell_source;
  cell_source.home = Home::tile;
  cell_source.id = old_tile;
  cell_source.name = draft_.plan.shared.fields[old_tile].name;
  const TypedPtr node = make_typed(statement.span, ref.dtype, {}, LocalUse{atomic.old, atomic.old_name});
  const TypedPtr cell = element_of_source(cell_source, node, Coordinates(shape.size(), index_constant(0)), site);
  const bool declares = declared_.insert(atomic.old).second;
  const bool constant = uses_.definitions.at(atomic.old) == 1;
  body_->push_back(set_scalar(values_.scalar({atomic.old}), cell, std::move(bindings), declares, constant));
  return true;
}

}  // namespace pallasgen
