#include <fmt/format.h>

#include "body.h"

namespace pallasgen {

namespace {

std::optional<Op> op_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::add:
      return Op::add;
    case BinaryOp::subtract:
      return Op::subtract;
    case BinaryOp::multiply:
      return Op::multiply;
    case BinaryOp::divide:
      return Op::divide;
    case BinaryOp::floor_divide:
      return Op::floor_divide;
    case BinaryOp::modulo:
      return Op::modulo;
    case BinaryOp::power:
      return Op::power;
    case BinaryOp::shift_left:
      return Op::shift_left;
    case BinaryOp::shift_right:
      return Op::shift_right;
    case BinaryOp::bit_and:
      return Op::bit_and;
    case BinaryOp::bit_or:
      return Op::bit_or;
    case BinaryOp::bit_xor:
      return Op::bit_xor;
    default:
      return std::nullopt;
  }
}

}  // namespace

// The ref that is written, or a view of it; none after an error.
std::optional<RefName> BodyTyper::target(const ExprPtr& base) {
  Diagnostics& diagnostics = context_.diagnostics;
  const NameExpr* name = base->as<NameExpr>();
  if (name) {
    if (const Local* local = scope_.find(name->name)) {
      if (local->value.poisoned()) return std::nullopt;
      diagnostics
          .error(kStoreTarget, base->span,
                 fmt::format("'{}' is a value of the body, whose elements cannot be written", name->name))
          .note(fmt::format("assign it whole, or hold it in scratch: scratch: {{{}: {{type: …}}}}", name->name));
      return std::nullopt;
    }
    if (!context_.find(name->name) && !is_language_name(name->name)) {
      std::vector<std::string> refs;
      for (const Ref& ref : context_.kernel.refs) refs.push_back(ref.name);
      const std::string near = nearest(name->name, refs);
      diagnostics.error(kUnknownName, base->span, fmt::format("'{}' is not defined", name->name))
          .note(near.empty() ? fmt::format("what is written is declared: outputs: {{{}: {{type: \"f32[M, N]\", …}}}}",
                                           name->name)
                             : fmt::format("did you mean '{}'?", near));
      return std::nullopt;
    }
  }
  const Value value = Typer(context_, place_, &scope_, nullptr).evaluate(base);
  if (value.poisoned()) return std::nullopt;
  const RefName* ref = value.as<RefName>();
  if (!ref) {
    diagnostics.error(kStoreTarget, base->span,
                      fmt::format("{} is {}, which cannot be written", to_string(*base), describe(value)));
    return std::nullopt;
  }
  const Ref& row = context_.kernel.refs[ref->ref];
  if (row.role == RefRole::input) {
    Diagnostic& out =
        diagnostics.error(kStoreTarget, base->span, fmt::format("'{}' is an input, which cannot be written", row.name));
    out.note(row.span,
             fmt::format("to update it in place, add an output of its type and aliases: {{output: {}}}", row.name));
    return std::nullopt;
  }
  return *ref;
}

// The value as the ref takes it; null after an error.
TypedPtr BodyTyper::stored(const TypedPtr& value, const Ref& ref, const Shape& shape, Typer& typer) {
  if (!value) return nullptr;
  const TypedPtr out = typer.coerce(value, ref.dtype);
  if (!out) return nullptr;
  if (out->dtype != ref.dtype) {
    const TypedPtr cast = make_typed(out->span, ref.dtype, out->shape, Apply{Op::cast, {out}, {}});
    context_.diagnostics
        .error(kDTypeMismatch, out->span,
               fmt::format("'{}' is {}, and the value is {}: dtypes never convert silently", ref.name,
                           name_of(ref.dtype), describe(out)))
        .note(fmt::format("write {}", to_string(cast)));
    return nullptr;
  }
  bool fits = out->shape.size() <= shape.size();
  for (size_t i = 0; fits && i < out->shape.size(); ++i) {
    const int64_t extent = out->shape[out->shape.size() - 1 - i];
    fits = extent == 1 || extent == shape[shape.size() - 1 - i];
  }
  if (!fits) {
    Diagnostic& error = context_.diagnostics.error(kShapeMismatch, out->span,
                                                   fmt::format("a value of shape {} does not fit into {} of '{}'",
                                                               shape_text(out->shape), shape_text(shape), ref.name));
    if (out->shape.size() == 1 && shape.size() == 2 && out->shape[0] == shape[0])
      error.note("a vector stands along the last dim: with [:, None] behind it, it stands along the first");
    if (out->shape.size() == 2 && out->shape == Shape(shape.rbegin(), shape.rend())) error.note("its .T fits");
    return nullptr;
  }
  return out;
}

void BodyTyper::store(const Stmt& stmt, const StoreSyntax& syntax, KernelStmts& out) {
  const SubscriptExpr* subscript = syntax.target->as<SubscriptExpr>();
  if (!subscript) return;
  if (in_reference()) {
    const NameExpr* name = subscript->base->as<NameExpr>();
    const bool whole = subscript->items.size() == 1 && subscript->items[0]->as<EllipsisLiteral>();
    if (!name || !whole || syntax.op) {
      context_.diagnostics.error(kReference, stmt.span, "the reference gives each output its whole value: write c = …");
      return;
    }
    assign(stmt, AssignSyntax{{name->name}, {subscript->base->span}, syntax.value}, out);
    return;
  }
  Typer typer(context_, place_, &scope_, &out);
  const std::optional<RefName> ref = target(subscript->base);
  TypedPtr value = typer.value(syntax.value);
  if (!ref) return;
  const Ref& row = context_.kernel.refs[ref->ref];
  StoreStmt node;
  node.ref = ref->ref;
  node.whole = false;
  Shape shape;
  std::optional<std::vector<IndexItem>> index =
      typer.ref_items(*ref, subscript->items, syntax.target->span, shape, node.whole);
  if (!index || !value || !typer.sized(shape, syntax.target->span, row.name)) return;
  node.index = std::move(*index);
  if (syntax.op) {
    node.op = op_of(*syntax.op);
    if (!node.op) {
      context_.diagnostics.error(kStatement, stmt.span,
                                 fmt::format("'{}=' has no meaning on '{}'", symbol_of(*syntax.op), row.name));
      return;
    }
    RefRead current;
    current.ref = ref->ref;
    current.index = node.index;
    current.whole = node.whole;
    current.name = row.name;
    const TypedPtr result = typer.operate(
        stmt.span, *node.op, {make_typed(syntax.target->span, row.dtype, shape, std::move(current)), value});
    if (!result) return;
  }
  node.value = stored(value, row, shape, typer);
  if (node.value) out.push_back({stmt.span, stmt.text, std::move(node)});
}

void BodyTyper::store_call(const Stmt& stmt, const CallExpr& call, KernelStmts& out) {
  Typer typer(context_, place_, &scope_, &out);
  static const std::vector<std::string_view> kParameters{"ref", "index", "value", "mask", "order"};
  const std::optional<Bound> args = typer.bind(call, stmt.span, "store", kParameters, 3);
  if (!args) return;
  const std::optional<RefName> ref = target((*args)[0]);
  TypedPtr value = typer.value((*args)[2]);
  if (!ref || !value) return;
  const Ref& row = context_.kernel.refs[ref->ref];
  StoreStmt node;
  if ((*args)[4]) {
    const std::optional<MemoryOrder> order =
        memory_order((*args)[4], {MemoryOrder::relaxed, MemoryOrder::release}, "a store", context_.diagnostics);
    if (!order || !shared_memory(row, (*args)[4]->span, "'order' of a store")) return;
    node.order = *order;
  }
  node.ref = ref->ref;
  node.whole = false;
  Shape shape;
  std::optional<std::vector<IndexItem>> index =
      typer.ref_items(*ref, Typer::entries_of((*args)[1]), (*args)[1]->span, shape, node.whole);
  if (!index || !typer.sized(shape, (*args)[1]->span, row.name)) return;
  node.index = std::move(*index);
  node.value = stored(value, row, shape, typer);
  if ((*args)[3]) {
    node.mask = typer.value((*args)[3]);
    if (!node.mask) return;
    Ref mask = row;
    mask.name = "mask";
    mask.dtype = DType::boolean;
    node.mask = stored(node.mask, mask, shape, typer);
    if (!node.mask) return;
  }
  if (node.value) out.push_back({stmt.span, stmt.text, std::move(node)});
}

}  // namespace pallasgen
