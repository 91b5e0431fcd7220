#include <fmt/format.h>

#include <algorithm>

#include "body/stores.h"
#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/subscripts.h"

namespace pallasgen {

namespace {

std::optional<AtomicStmt> atomic(BodyNames& names, const Stmt& stmt, const CallExpr& call, AtomicOp op, Shape& shape,
                                 KernelStmts& out) {
  Diagnostics& diagnostics = names.context().diagnostics;
  TypingContext in = names.values(&out);
  const bool compares = op == AtomicOp::compare_exchange;
  const std::vector<std::string_view>& parameters = parameters_of(name_of(op)).names;
  const std::optional<Bound> args = bind_arguments(in, call, stmt.span, name_of(op));
  if (!args) return std::nullopt;
  const auto argument = [&](std::string_view name) -> const ExprPtr& {
    return (*args)[std::find(parameters.begin(), parameters.end(), name) - parameters.begin()];
  };
  const std::optional<RefName> ref = written_ref(names, (*args)[0]);
  const TypedPtr value = value_of(in, argument("value"));
  if (!ref || !value) return std::nullopt;
  const Ref row = names.context().kernel.refs[ref->ref];
  if (!shared_memory(names.context(), row, (*args)[0]->span, std::string(name_of(op)))) return std::nullopt;
  const DTypeInfo& type = info(row.dtype);
  const bool bitwise = op == AtomicOp::bit_and || op == AtomicOp::bit_or || op == AtomicOp::bit_xor;
  if (type.bits < 16 || row.dtype == DType::boolean || (bitwise && !type.is_integer)) {
    diagnostics
        .error(kOperandDType, (*args)[0]->span,
               fmt::format("{} on '{}', which is {}", name_of(op), row.name, name_of(row.dtype)))
        .note(bitwise ? "bitwise atomics take integers of 16, 32 and 64 bits"
                      : "atomics take integers and floats of 16, 32 and 64 bits");
    return std::nullopt;
  }
  AtomicStmt node;
  node.ref = ref->ref;
  node.op = op;
  node.whole = false;
  std::optional<IndexItems> index = ref_items(in, *ref, entries_of((*args)[1]), (*args)[1]->span, shape, node.whole);
  if (!index || !sized(in, shape, (*args)[1]->span, row.name)) return std::nullopt;
  node.index = std::move(*index);
  node.shape = shape;
  node.value = stored(in, value, row, shape);
  if (!node.value) return std::nullopt;
  if (compares) {
    const TypedPtr compare = value_of(in, argument("compare"));
    node.compare = compare ? stored(in, compare, row, shape) : nullptr;
    if (!node.compare) return std::nullopt;
  }
  if (argument("mask")) {
    Ref mask = row;
    mask.name = "mask";
    mask.dtype = DType::boolean;
    const TypedPtr given = value_of(in, argument("mask"));
    node.mask = given ? stored(in, given, mask, shape) : nullptr;
    if (!node.mask) return std::nullopt;
  }
  if (argument("order")) {
    using enum MemoryOrder;
    const auto order = memory_order(argument("order"), {relaxed, acquire, release, acq_rel}, "an atomic", diagnostics);
    if (!order) return std::nullopt;
    node.order = *order;
  }
  if (argument("scope")) {
    const auto scope = memory_scope(argument("scope"), diagnostics);
    if (!scope) return std::nullopt;
    node.scope = *scope;
  }
  return node;
}

}  // namespace

void atomic_call(BodyNames& names, const Stmt& stmt, const CallExpr& call, AtomicOp op, const AssignSyntax* old,
                 KernelStmts& out) {
  const auto give_up = [&] {
    for (size_t i = 0; old && i < old->names.size(); ++i) names.poison(old->names[i], old->name_spans[i]);
  };
  if (names.in_reference()) {
    names.context()
        .diagnostics.error(kReference, stmt.span, "the reference has no memory: it gives each output its value")
        .note("a sum over indices is a dot with a comparison: sum(where(index[:, None] == iota(…), …))");
    return give_up();
  }
  if (old && old->names.size() != 1) {
    names.context().diagnostics.error(
        kStatement, old->value->span,
        fmt::format("{} gives one value, not {}", to_string(*old->value), old->names.size()));
    return give_up();
  }
  Shape shape;
  std::optional<AtomicStmt> node = atomic(names, stmt, call, op, shape, out);
  if (!node) return give_up();
  if (old) {
    if (!names.may_assign(old->names[0], old->name_spans[0])) return;
    // The name is bound to the old elements of the memory; later uses read the local.
    RefRead before;
    before.ref = node->ref;
    before.index = node->index;
    before.whole = node->whole;
    before.name = names.context().kernel.refs[node->ref].name;
    const DType dtype = names.context().kernel.refs[node->ref].dtype;
    const auto bind =
        names.bind(old->names[0], old->name_spans[0], make_typed(old->value->span, dtype, shape, std::move(before)));
    if (!bind) return;
    names.context().values_of_locals[bind->local] = {Poison{}, old->name_spans[0]};
    node->old = bind->local;
    node->old_name = bind->name;
  }
  out.push_back({stmt.span, stmt.text, std::move(*node)});
}

}  // namespace pallasgen
