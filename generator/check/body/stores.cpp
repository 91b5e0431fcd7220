#include "body/stores.h"

#include <fmt/format.h>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"
#include "expressions/subscripts.h"
#include "names/language.h"

namespace pallasgen {

std::optional<RefName> written_ref(BodyNames& names, const ExprPtr& base) {
  Diagnostics& diagnostics = names.context().diagnostics;
  const NameExpr* name = base->as<NameExpr>();
  if (name) {
    if (const Local* local = names.scope().find(name->name)) {
      if (local->value.poisoned()) return std::nullopt;
      diagnostics
          .error(kStoreTarget, base->span,
                 fmt::format("'{}' is a value of the body, whose elements cannot be written", name->name))
          .note(fmt::format("assign it whole, or hold it in scratch: scratch: {{{}: {{type: …}}}}", name->name));
      return std::nullopt;
    }
    if (!names.context().find(name->name) && !is_language_name(name->name)) {
      std::vector<std::string> refs;
      for (const Ref& ref : names.context().kernel.refs) refs.push_back(ref.name);
      const std::string near = nearest(name->name, refs);
      diagnostics.error(kUnknownName, base->span, fmt::format("'{}' is not defined", name->name))
          .note(near.empty() ? fmt::format("what is written is declared: outputs: {{{}: {{type: \"f32[M, N]\", …}}}}",
                                           name->name)
                             : fmt::format("did you mean '{}'?", near));
      return std::nullopt;
    }
  }
  TypingContext in = names.values(nullptr);
  const Value value = evaluate(in, base);
  if (value.poisoned()) return std::nullopt;
  const RefName* ref = value.as<RefName>();
  if (!ref) {
    diagnostics.error(kStoreTarget, base->span,
                      fmt::format("{} is {}, which cannot be written", to_string(*base), describe(value)));
    return std::nullopt;
  }
  const Ref& row = names.context().kernel.refs[ref->ref];
  if (row.role == RefRole::input) {
    Diagnostic& out =
        diagnostics.error(kStoreTarget, base->span, fmt::format("'{}' is an input, which cannot be written", row.name));
    out.note(row.span,
             fmt::format("to update it in place, add an output of its type and aliases: {{output: {}}}", row.name));
    return std::nullopt;
  }
  return *ref;
}

bool shared_memory(Context& context, const Ref& ref, Span span, const std::string& what) {
  if (is_view(ref) || (ref.role == RefRole::scratch && ref.space == MemorySpace::smem)) return true;
  const bool scratch = ref.role == RefRole::scratch;
  context.diagnostics
      .error(kStoreTarget, span,
             fmt::format("{} on '{}', {}", what, ref.name,
                         scratch ? "scratch in registers" : "a block that is copied whole at the end"))
      .note(scratch ? "scratch with space: smem, workspace and refs with space: gmem are memory"
                    : fmt::format("write space: gmem for '{}', or combine blocks with reduce: add", ref.name));
  return false;
}

TypedPtr stored(TypingContext& in, const TypedPtr& value, const Ref& ref, const Shape& shape) {
  if (!value) return nullptr;
  const TypedPtr out = coerce(in, value, ref.dtype);
  if (!out) return nullptr;
  if (out->dtype != ref.dtype) {
    const TypedPtr cast = make_typed(out->span, ref.dtype, out->shape, Apply{Op::cast, {out}, {}});
    in.context.diagnostics
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
    Diagnostic& error = in.context.diagnostics.error(kShapeMismatch, out->span,
                                                     fmt::format("a value of shape {} does not fit into {} of '{}'",
                                                                 shape_text(out->shape), shape_text(shape), ref.name));
    if (out->shape.size() == 1 && shape.size() == 2 && out->shape[0] == shape[0])
      error.note("a vector stands along the last dim: with [:, None] behind it, it stands along the first");
    if (out->shape.size() == 2 && out->shape == Shape(shape.rbegin(), shape.rend())) error.note("its .T fits");
    return nullptr;
  }
  return out;
}

// Reports a right side of `+=` whose dtype differs from the target's: the left side takes no cast.
void report_added(Diagnostics& diagnostics, Span span, BinaryOp op, const TypedPtr& value, const Ref& ref) {
  const TypedPtr cast = make_typed(value->span, ref.dtype, value->shape, Apply{Op::cast, {value}, {}});
  Diagnostic& out =
      diagnostics.error(kDTypeMismatch, span,
                        fmt::format("'{}' is {}, and what '{}=' takes is {}: dtypes never convert silently", ref.name,
                                    name_of(ref.dtype), symbol_of(op), describe(value)));
  out.note(fmt::format("write {}", to_string(cast)));
  if (info(ref.dtype).is_float && info(value->dtype).is_float && info(ref.dtype).bits < info(value->dtype).bits &&
      ref.role != RefRole::scratch)
    out.note(fmt::format("what is added up in many steps is kept in scratch of {}, and stored after the last one",
                         name_of(value->dtype)));
}

void store_part(BodyNames& names, const Stmt& stmt, const StoreSyntax& syntax, KernelStmts& out) {
  const SubscriptExpr* subscript = syntax.target->as<SubscriptExpr>();
  if (!subscript) return;
  TypingContext in = names.values(&out);
  const std::optional<RefName> ref = written_ref(names, subscript->base);
  TypedPtr value = value_of(in, syntax.value);
  if (!ref) return;
  const Ref& row = names.context().kernel.refs[ref->ref];
  StoreStmt node;
  node.ref = ref->ref;
  node.whole = false;
  Shape shape;
  std::optional<IndexItems> index = ref_items(in, *ref, subscript->items, syntax.target->span, shape, node.whole);
  if (!index || !value || !sized(in, shape, syntax.target->span, row.name)) return;
  node.index = std::move(*index);
  if (syntax.op) {
    node.op = operation_of(*syntax.op);
    if (node.op == Op::dot || node.op == Op::logical_and || node.op == Op::logical_or) {
      names.context().diagnostics.error(kStatement, stmt.span,
                                        fmt::format("'{}=' has no meaning on '{}'", symbol_of(*syntax.op), row.name));
      return;
    }
    if (value->dtype != row.dtype && has_dtype(value)) {
      report_added(names.context().diagnostics, stmt.span, *syntax.op, value, row);
      return;
    }
    RefRead current;
    current.ref = ref->ref;
    current.index = node.index;
    current.whole = node.whole;
    current.name = row.name;
    const TypedPtr result = operate(in, stmt.span, *node.op,
                                    {make_typed(syntax.target->span, row.dtype, shape, std::move(current)), value});
    if (!result) return;
  }
  node.value = stored(in, value, row, shape);
  // The quoted store shows that its output is reduced.
  const std::string text = row.reduce ? fmt::format("{} (reduce: {})", stmt.text, *row.reduce) : stmt.text;
  if (node.value) out.push_back({stmt.span, text, std::move(node)});
}

void store_call(BodyNames& names, const Stmt& stmt, const CallExpr& call, KernelStmts& out) {
  TypingContext in = names.values(&out);
  const std::optional<Bound> args = bind_arguments(in, call, stmt.span, "store");
  if (!args) return;
  const std::optional<RefName> ref = written_ref(names, (*args)[0]);
  TypedPtr value = value_of(in, (*args)[2]);
  if (!ref || !value) return;
  const Ref& row = names.context().kernel.refs[ref->ref];
  StoreStmt node;
  if ((*args)[4]) {
    const std::optional<MemoryOrder> order =
        memory_order((*args)[4], {MemoryOrder::relaxed, MemoryOrder::release}, "a store", names.context().diagnostics);
    if (!order || !shared_memory(names.context(), row, (*args)[4]->span, "'order' of a store")) return;
    if (!has_own_bytes(names.context().diagnostics, row, (*args)[4]->span, "'order' of a store")) return;
    node.order = *order;
  }
  node.ref = ref->ref;
  node.whole = false;
  Shape shape;
  std::optional<IndexItems> index = ref_items(in, *ref, entries_of((*args)[1]), (*args)[1]->span, shape, node.whole);
  if (!index || !sized(in, shape, (*args)[1]->span, row.name)) return;
  node.index = std::move(*index);
  node.value = stored(in, value, row, shape);
  if ((*args)[3]) {
    node.mask = value_of(in, (*args)[3]);
    if (!node.mask) return;
    Ref mask = row;
    mask.name = "mask";
    mask.dtype = DType::boolean;
    node.mask = stored(in, node.mask, mask, shape);
    if (!node.mask) return;
  }
  if (node.value) out.push_back({stmt.span, stmt.text, std::move(node)});
}

}  // namespace pallasgen
