// Stores of a body that goes element by element.
#include <fmt/format.h>

#include <algorithm>

#include "block_access.h"
#include "check/aliases.h"
#include "element_indexing.h"
#include "elements/lowering.h"
#include "program_walk.h"
#include "values.h"

namespace pallasgen {

using namespace program;

namespace {

bool same_elements(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TypedPtr& x, const TypedPtr& y) { return equal(x, y); });
}

// Integers that an index expression reads from memory.
void collect_loads(const TypedPtr& expr, std::vector<TypedPtr>& reads) {
  if (expr && expr->as<RefRead>()) reads.push_back(expr);
  if (const Apply* apply = expr ? expr->as<Apply>() : nullptr) {
    for (const TypedPtr& arg : apply->args) collect_loads(arg, reads);
  }
}

}  // namespace

// Whether a turn of the loop reads what its store writes in another turn.
bool ElementLowering::reads_elsewhere(const Statements& body) const {
  const auto store = std::find_if(body.begin(), body.end(), [](const Statement& statement) {
    return std::holds_alternative<StoreElement>(statement.node);
  });
  const StoreElement& out = std::get<StoreElement>(store->node);
  bool found = false;
  for_each_statement(body, [&](const Statement& statement) {
    for_each_binding(statement, [&](const Binding& binding) {
      const bool same = out.field >= 0 ? binding.kind == SlotKind::shared && binding.field == out.field
                                       : binding.kind == SlotKind::global && !binding.order &&
                                             same_buffer(kernel_, binding.ref, out.ref);
      found = found || (same && !same_elements(binding.index, out.index));
    });
  });
  return found;
}

bool ElementLowering::fill_tile(int field, const TypedPtr& value) {
  const std::vector<Number> sizes = tile_sizes_.at(field);
  const NameScope scope(names_);
  const ElementLoop elements = loop_over(sizes, value);
  const Coordinates& at = elements.at;
  Shape shape;
  for (const Number& size : sizes) shape.push_back(size.value);
  Statements body;
  StoreElement store{};
  store.field = field;
  store.index = at;
  ElementSite site{body, store.bindings, elements_of(shape)};
  store.value = element(value, broadcast_at(value->shape, shape, at), site);
  if (!store.value) return false;
  body.push_back({"", false, std::move(store)});
  std::optional<int> second;
  if (reads_elsewhere(body)) {
    second = add_tile(draft_.plan.shared.fields[field].name + "_next", draft_.plan.shared.fields[field].dtype, sizes);
    std::get<StoreElement>(body.back().node).field = *second;
  }
  body_->push_back(for_elements(elements, std::move(body)));
  if (second) {
    Statements copy;
    StoreElement back{};
    back.field = field;
    back.index = at;
    Binding from{};
    from.kind = SlotKind::shared;
    from.field = *second;
    from.index = at;
    ElementSite there{copy, back.bindings, 1};
    back.value = bind(std::move(from), draft_.plan.shared.fields[*second].name, value->span, value->dtype, there);
    copy.push_back({"", false, std::move(back)});
    body_->push_back(for_elements(elements, std::move(copy)));
  }
  return true;
}

bool ElementLowering::store_whole_scalar(const tile::Statement& statement, const StoreStmt& store, const Source& to) {
  const size_t first = body_->size();
  std::vector<Binding> bindings;
  ElementSite site{*body_, bindings, 1};
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
  TypedPtr scalar = element(value, {}, site);
  if (!scalar) return false;
  if (store.mask) {
    const TypedPtr mask = element(store.mask, {}, site);
    if (!mask) return false;
    scalar = make_typed(span, scalar->dtype, {}, Apply{Op::where, {mask, scalar, bind_scalar(to.id, span, site)}, {}});
  }
  body_->push_back(set_scalar(to.id, scalar, std::move(bindings), false, false));
  quote(*body_, first, statement.origin);
  return true;
}

bool ElementLowering::take_store(const tile::Statement& statement, const StoreStmt& store) {
  const Ref& ref = draft_.ref(store.ref);
  const Source to = refs_.at(store.ref);
  target_ = draft_.names().of(ref.name);
  if (to.home == Home::scalar) return store_whole_scalar(statement, store, to);
  const Shape shape = store.whole ? ref.shape : selected_by(store.index).shape;
  for (int64_t size : shape) {
    if (size >= 0) continue;
    refuse(statement.span, fmt::format("a store to the whole of '{}', whose size is known only at launch", ref.name),
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
  const std::vector<Number> block = sizes_of_ref(store.ref);
  for (size_t d = 0; d < shape.size(); ++d) {
    const size_t own = value->shape.size() + d - shape.size();
    Number size =
        store.whole || (block.size() == shape.size() && block[d].value == shape[d]) ? block[d] : number(shape[d]);
    if (value->shape.size() + d >= shape.size() && value->shape[own] == shape[d] &&
        size.text == std::to_string(size.value))
      size = size_of(value, own);
    sizes.push_back(size);
  }
  const std::vector<IndexItem> items = store.index;
  const TypedPtr mask = store.mask;
  const size_t first = body_->size();
  const NameScope scope(names_);
  const ElementLoop elements = loop_over(sizes, value);
  const Coordinates& at = elements.at;
  Statements body;
  const auto fill = [&] {
    const NameScope inside(names_);
    body.clear();
    StoreElement out{};
    ElementSite site{body, out.bindings, elements_of(shape)};
    if (mask) {
      out.condition = element(mask, broadcast_at(mask->shape, shape, at), site);
      if (!out.condition) return false;
    }
    const std::optional<Coordinates> inner =
        store.whole ? at : indexed(items, at, site, range_of(store.ref, out.condition));
    if (!inner) return false;
    out.value = element(value, broadcast_at(value->shape, shape, at), site);
    if (!out.value) return false;
    if (to.home == Home::tile) {
      out.field = to.id;
      out.index = in_tile(*inner);
    } else {
      const ArrayPlace place = place_of(store.ref, *inner, site);
      out.ref = store.ref;
      if (store.order != pallasgen::MemoryOrder::weak) out.order = order_of(store.order);
      out.index = place.index;
      out.may_leave = place.may_leave;
      check_nan(store.ref, out, place, site);
      if (place.inside)
        out.condition = out.condition ? apply({}, Op::logical_and, DType::boolean, {}, {place.inside, out.condition})
                                      : place.inside;
    }
    out.condition = where_inside(std::move(out.condition), site);
    body.push_back({"", false, std::move(out)});
    return true;
  };
  if (!fill() || !read_before(statement.span, store.ref, {value, mask}, items, body, fill)) return false;
  if (to.home != Home::tile) bytes_ += static_cast<double>(bytes_of(ref.dtype, elements_of(shape)));
  body_->push_back(for_elements(elements, std::move(body)));
  quote(*body_, first, statement.origin);
  return true;
}

// What the statement reads of the buffer that it writes is read before any of it is written: `body` is a turn of the
// loop that stores, and `fill` makes it anew once what reads the buffer elsewhere has been computed.
bool ElementLowering::read_before(Span span, int ref, std::vector<TypedPtr> operands,
                                  const std::vector<IndexItem>& items, const Statements& body,
                                  const std::function<bool()>& fill) {
  if (!reads_elsewhere(body)) return true;
  for (const IndexItem& item : items) {
    if (const auto* integer = std::get_if<IndexInteger>(&item)) collect_loads(integer->value, operands);
    if (const auto* slice = std::get_if<IndexSlice>(&item)) collect_loads(slice->start, operands);
    if (const auto* gather = std::get_if<IndexGather>(&item)) operands.push_back(gather->indices);
  }
  for (const TypedPtr& operand : operands) {
    bool reads = false;
    walk(operand, [&](const Typed& node) {
      const RefRead* read = node.as<RefRead>();
      reads = reads || (read && same_buffer(kernel_, read->ref, ref));
    });
    if (reads && computed_.count(operand.get()) == 0 && !materialise(operand)) return false;
  }
  if (!fill()) return false;
  if (!reads_elsewhere(body)) return true;
  refuse(span, fmt::format("a statement that reads '{}' elsewhere while it writes it", draft_.ref(ref).name),
         "bind what it reads to a name first");
  return false;
}

}  // namespace pallasgen
