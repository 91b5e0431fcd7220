#include "expression/typed.h"

#include <bit>
#include <cstdint>

namespace pallasgen {

const std::vector<TypedPtr>* elementwise_operands(const Typed& expr) {
  if (const auto* call = expr.as<CallFunction>()) return &call->args;
  const Apply* apply = expr.as<Apply>();
  if (!apply) return nullptr;
  const OpGroup group = operation(apply->op).group;
  const bool by_element = group == OpGroup::elementwise || group == OpGroup::cast || apply->op == Op::broadcast_to;
  return by_element ? &apply->args : nullptr;
}

TypedPtr make_typed(Span span, DType dtype, Shape shape, Typed::Node node) {
  return std::make_shared<const Typed>(Typed{span, dtype, std::move(shape), std::move(node)});
}

std::string_view name_of(MemoryOrder order) {
  static constexpr std::string_view kNames[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
  return kNames[static_cast<size_t>(order)];
}

std::string_view name_of(MemoryScope scope) {
  static constexpr std::string_view kNames[] = {"block", "device", "system"};
  return kNames[static_cast<size_t>(scope)];
}

TypedPtr index_constant(int64_t value, std::string name) {
  return make_typed({}, DType::index, {}, Constant{value, std::move(name)});
}

std::optional<int64_t> constant_value(const TypedPtr& expr) {
  if (!expr) return std::nullopt;
  const Constant* constant = expr->as<Constant>();
  const int64_t* value = constant ? std::get_if<int64_t>(&constant->value) : nullptr;
  return value ? std::optional<int64_t>(*value) : std::nullopt;
}

namespace {

bool equal_scalars(const Scalar& a, const Scalar& b) {
  if (a.index() != b.index()) return false;
  const double *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  if (!x || !y) return a == b;
  // Doubles compare by bits: 0.0 and -0.0 differ, a NaN equals itself.
  return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(*y);
}

bool equal_lists(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

bool equal_items(const std::vector<IndexItem>& a, const std::vector<IndexItem>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].index() != b[i].index()) return false;
    if (const auto* integer = std::get_if<IndexInteger>(&a[i])) {
      if (!equal(integer->value, std::get<IndexInteger>(b[i]).value)) return false;
    } else if (const auto* slice = std::get_if<IndexSlice>(&a[i])) {
      const IndexSlice& other = std::get<IndexSlice>(b[i]);
      if (slice->size != other.size || slice->step != other.step || !equal(slice->start, other.start)) return false;
    } else if (const auto* gather = std::get_if<IndexGather>(&a[i])) {
      if (!equal(gather->indices, std::get<IndexGather>(b[i]).indices)) return false;
    }
  }
  return true;
}

bool equal_attributes(const OpAttributes& a, const OpAttributes& b) {
  return a.axes == b.axes && a.keepdims == b.keepdims && a.trans_a == b.trans_a && a.trans_b == b.trans_b &&
         a.precision == b.precision && a.part_first == b.part_first && a.part_size == b.part_size &&
         a.scales_a == b.scales_a && a.scales_b == b.scales_b && a.ref == b.ref && a.scalar == b.scalar &&
         a.left == b.left && equal_items(a.items, b.items);
}

void walk_items(const std::vector<IndexItem>& items, const std::function<void(const Typed&)>& visit) {
  for (const IndexItem& item : items) {
    if (const auto* integer = std::get_if<IndexInteger>(&item)) walk(integer->value, visit);
    if (const auto* slice = std::get_if<IndexSlice>(&item)) walk(slice->start, visit);
    if (const auto* gather = std::get_if<IndexGather>(&item)) walk(gather->indices, visit);
  }
}

}  // namespace

bool equal(const TypedPtr& a, const TypedPtr& b) {
  if (a == b) return true;
  if (!a || !b) return false;
  if (a->dtype != b->dtype || a->shape != b->shape || a->node.index() != b->node.index()) return false;
  if (const Constant* x = a->as<Constant>()) return equal_scalars(x->value, b->as<Constant>()->value);
  if (const Symbol* x = a->as<Symbol>()) {
    const Symbol* y = b->as<Symbol>();
    // Variables of generated loops have no ids; their names distinguish them.
    return x->kind == y->kind && x->id == y->id && (x->id >= 0 || x->name == y->name);
  }
  if (const LocalUse* x = a->as<LocalUse>()) return x->id == b->as<LocalUse>()->id;
  if (const RefRead* x = a->as<RefRead>()) {
    const RefRead* y = b->as<RefRead>();
    return x->ref == y->ref && x->order == y->order && equal_items(x->index, y->index) && equal(x->mask, y->mask) &&
           equal(x->other, y->other);
  }
  if (const Apply* x = a->as<Apply>()) {
    const Apply* y = b->as<Apply>();
    return x->op == y->op && equal_lists(x->args, y->args) && equal_attributes(x->attributes, y->attributes);
  }
  const CallFunction* x = a->as<CallFunction>();
  const CallFunction* y = b->as<CallFunction>();
  return x->function == y->function && equal_lists(x->args, y->args);
}

bool is_square(const Apply& apply) {
  const Constant* exponent = apply.op == Op::power ? apply.args[1]->as<Constant>() : nullptr;
  const double* number = exponent ? std::get_if<double>(&exponent->value) : nullptr;
  return number && *number == 2.0;
}

void walk(const TypedPtr& expr, const std::function<void(const Typed&)>& visit) {
  if (!expr) return;
  visit(*expr);
  if (const Apply* apply = expr->as<Apply>()) {
    for (const TypedPtr& arg : apply->args) walk(arg, visit);
    walk_items(apply->attributes.items, visit);
  } else if (const CallFunction* call = expr->as<CallFunction>()) {
    for (const TypedPtr& arg : call->args) walk(arg, visit);
  } else if (const RefRead* read = expr->as<RefRead>()) {
    walk_items(read->index, visit);
    walk(read->mask, visit);
    walk(read->other, visit);
  }
}

bool mentions(const TypedPtr& expr, SymbolKind kind, int id) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    found = found || (symbol && symbol->kind == kind && symbol->id == id);
  });
  return found;
}

}  // namespace pallasgen
