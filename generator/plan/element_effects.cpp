// Statements with effects beside assignment: atomics, scoped scratch, prints, assertions.
#include <fmt/format.h>

#include "block_access.h"
#include "diagnostics/assert.h"
#include "element_indexing.h"
#include "element_planner.h"

namespace pallasgen {

using namespace program;

namespace {

AtomicKind kind_of(AtomicOp op) {
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

AtomicScope scope_of(MemoryScope scope) {
  return scope == MemoryScope::block    ? AtomicScope::cta
         : scope == MemoryScope::device ? AtomicScope::device
                                        : AtomicScope::system;
}

}  // namespace

program::MemoryOrder order_of(pallasgen::MemoryOrder order) {
  switch (order) {
    case pallasgen::MemoryOrder::acquire:
      return program::MemoryOrder::acquire;
    case pallasgen::MemoryOrder::release:
      return program::MemoryOrder::release;
    case pallasgen::MemoryOrder::acq_rel:
      return program::MemoryOrder::acquire_release;
    default:
      return program::MemoryOrder::relaxed;
  }
}

bool ElementPlanner::take_atomic(const KernelStmt& statement, const AtomicStmt& atomic) {
  const Ref& ref = draft_.ref(atomic.ref);
  const Source to = refs_.at(atomic.ref);
  target_ = draft_.names().of(ref.name);
  const size_t first = body_->size();
  const Shape shape = atomic.whole ? ref.shape : selected_by(atomic.index).shape;
  const TypedPtr value = at_place(atomic.value);
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
    old_tile =
        add_tile(shape.empty() ? draft_.names().derived(atomic.old_name + "_cell") : draft_.names().of(atomic.old_name),
                 ref.dtype, shape.empty() ? std::vector<Number>{number(1)} : sizes);
  {
    const NameScope scope(names_);
    const ElementLoop elements = loop_over(sizes, value);
    const Coordinates& at = elements.at;
    const std::vector<IndexItem> items = at_place(atomic.index);
    const TypedPtr mask = at_place(atomic.mask), compare = at_place(atomic.compare);
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
      update.kind = kind_of(atomic.op);
      update.scope = scope_of(atomic.scope);
      update.order = order_of(atomic.order);
      if (compare) update.compare = operand(compare);
      if (!out.value || (compare && !update.compare)) return false;
      if (to.home == Home::global) {
        const ArrayPlace place = array_place(draft_, atomic.ref, *inner, place_, facts());
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
    if (!fill() || !read_before(statement, atomic.ref, {value, mask, compare}, items, body, fill)) return false;
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
  quote(*body_, first, statement.text);
  if (old_tile < 0) return true;
  Source source;
  source.home = Home::tile;
  source.id = old_tile;
  source.name = draft_.plan.shared.fields[old_tile].name;
  if (shape.empty()) {
    std::vector<Binding> bindings;
    ElementSite site{*body_, bindings, 1};
    const TypedPtr node = make_typed(statement.span, ref.dtype, {}, LocalUse{atomic.old, atomic.old_name});
    const TypedPtr cell = element_of_source(source, node, {}, site);
    const auto known = locals_.find(atomic.old);
    const bool declares = known == locals_.end();
    Source scalar;
    scalar.home = Home::scalar;
    scalar.id = declares ? add_scalar(names_.declare(draft_.names().of(atomic.old_name)), ref.dtype) : known->second.id;
    body_->push_back(set_scalar(scalar.id, cell, std::move(bindings), declares, rebound_.count(atomic.old) == 0));
    locals_[atomic.old] = scalar;
    return true;
  }
  locals_[atomic.old] = source;
  return true;
}

bool ElementPlanner::take_scope(const ScopeStmt& scope) {
  const std::map<int, Source> locals = locals_;
  const bool fine = take_all(scope.body);
  if (fine) {
    // Names from before keep what the block assigned.
    std::erase_if(locals_, [&](const auto& entry) { return locals.count(entry.first) == 0; });
  }
  return fine;
}

bool ElementPlanner::take_assert(const KernelStmt&, const AssertStmt& assertion) {
  Assert out{};
  ElementSite site{*body_, out.bindings, 1};
  target_ = "condition";
  out.condition = element(at_place(assertion.condition), {}, site);
  if (!out.condition) return false;
  out.message = assertion.message;
  body_->push_back({"", false, std::move(out)});
  return true;
}

bool ElementPlanner::take_print(const KernelStmt& statement, const PrintStmt& print) {
  Print out{};
  out.texts = print.texts;
  ElementSite site{*body_, out.bindings, 1};
  target_ = "printed";
  for (const TypedPtr& arg : print.args) {
    if (!arg->shape.empty()) {
      refuse(statement.span, fmt::format("print of {}, an array", to_string(arg)), "print one element, or a reduction");
      return false;
    }
    out.args.push_back(element(at_place(arg), {}, site));
    if (!out.args.back()) return false;
  }
  body_->push_back({"", false, std::move(out)});
  return true;
}

}  // namespace pallasgen
