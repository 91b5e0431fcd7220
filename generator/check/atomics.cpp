#include <fmt/format.h>

#include <algorithm>

#include "body.h"

namespace pallasgen {

namespace {

template <class E>
std::optional<E> word_among(const ExprPtr& expr, const std::vector<E>& allowed, std::string_view what,
                            std::string_view key, Diagnostics& diagnostics) {
  const NameExpr* name = expr->as<NameExpr>();
  std::vector<std::string> words;
  for (E one : allowed) {
    if (name && name_of(one) == name->name) return one;
    words.emplace_back(name_of(one));
  }
  Diagnostic& out =
      diagnostics.error(kArguments, expr->span,
                        fmt::format("'{}' of {} is {}, not {}", key, what, fmt::join(words, " or "), to_string(*expr)));
  const std::string near = nearest(name ? name->name : "", words);
  if (!near.empty()) out.note(fmt::format("did you mean '{}'?", near));
  return std::nullopt;
}

constexpr AtomicOp kAtomics[] = {AtomicOp::add,    AtomicOp::max,     AtomicOp::min,      AtomicOp::bit_and,
                                 AtomicOp::bit_or, AtomicOp::bit_xor, AtomicOp::exchange, AtomicOp::compare_exchange};

}  // namespace

std::optional<MemoryOrder> memory_order(const ExprPtr& expr, const std::vector<MemoryOrder>& allowed,
                                        std::string_view what, Diagnostics& diagnostics) {
  return word_among(expr, allowed, what, "order", diagnostics);
}

std::optional<MemoryScope> memory_scope(const ExprPtr& expr, Diagnostics& diagnostics) {
  return word_among<MemoryScope>(expr, {MemoryScope::block, MemoryScope::device, MemoryScope::system}, "an atomic",
                                 "scope", diagnostics);
}

std::optional<AtomicOp> atomic_named(const std::string& name) {
  for (AtomicOp op : kAtomics) {
    if (name_of(op) == name) return op;
  }
  return std::nullopt;
}

// Whether the ref is memory that several programs, or the threads of one, can write at once.
bool BodyTyper::shared_memory(const Ref& ref, Span span, const std::string& what) {
  if (is_view(ref) || (ref.role == RefRole::scratch && ref.space == MemorySpace::smem)) return true;
  const bool scratch = ref.role == RefRole::scratch;
  context_.diagnostics
      .error(kStoreTarget, span,
             fmt::format("{} on '{}', {}", what, ref.name,
                         scratch ? "scratch in registers" : "a block that is copied whole at the end"))
      .note(scratch ? "scratch with space: smem, workspace and refs with space: gmem are memory"
                    : fmt::format("write space: gmem for '{}', or combine blocks with reduce: add", ref.name));
  return false;
}

std::optional<AtomicStmt> BodyTyper::atomic(const Stmt& stmt, const CallExpr& call, AtomicOp op, Shape& shape,
                                            KernelStmts& out) {
  Diagnostics& diagnostics = context_.diagnostics;
  Typer typer(context_, place_, &scope_, &out);
  const bool compares = op == AtomicOp::compare_exchange;
  std::vector<std::string_view> parameters{"ref", "index", "value", "mask", "order", "scope"};
  if (compares) parameters.insert(parameters.begin() + 2, "compare");
  const std::optional<Bound> args = typer.bind(call, stmt.span, name_of(op), parameters, compares ? 4 : 3);
  if (!args) return std::nullopt;
  const auto argument = [&](std::string_view name) -> const ExprPtr& {
    return (*args)[std::find(parameters.begin(), parameters.end(), name) - parameters.begin()];
  };
  const std::optional<RefName> ref = target((*args)[0]);
  const TypedPtr value = typer.value(argument("value"));
  if (!ref || !value) return std::nullopt;
  const Ref row = context_.kernel.refs[ref->ref];
  if (!shared_memory(row, (*args)[0]->span, std::string(name_of(op)))) return std::nullopt;
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
  std::optional<std::vector<IndexItem>> index =
      typer.ref_items(*ref, Typer::entries_of((*args)[1]), (*args)[1]->span, shape, node.whole);
  if (!index || !typer.sized(shape, (*args)[1]->span, row.name)) return std::nullopt;
  node.index = std::move(*index);
  node.shape = shape;
  node.value = stored(value, row, shape, typer);
  if (!node.value) return std::nullopt;
  if (compares) {
    const TypedPtr compare = typer.value(argument("compare"));
    node.compare = compare ? stored(compare, row, shape, typer) : nullptr;
    if (!node.compare) return std::nullopt;
  }
  if (argument("mask")) {
    Ref mask = row;
    mask.name = "mask";
    mask.dtype = DType::boolean;
    const TypedPtr given = typer.value(argument("mask"));
    node.mask = given ? stored(given, mask, shape, typer) : nullptr;
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

// `atomic_add(…)`, or `old = atomic_add(…)`.
void BodyTyper::atomic_call(const Stmt& stmt, const CallExpr& call, AtomicOp op, const AssignSyntax* old,
                            KernelStmts& out) {
  const auto give_up = [&] {
    for (size_t i = 0; old && i < old->names.size(); ++i) poison(old->names[i], old->name_spans[i]);
  };
  if (in_reference()) {
    context_.diagnostics.error(kReference, stmt.span, "the reference has no memory: it gives each output its value")
        .note("a sum over indices is a dot with a comparison: sum(where(index[:, None] == iota(…), …))");
    return give_up();
  }
  if (old && old->names.size() != 1) {
    context_.diagnostics.error(kStatement, old->value->span,
                               fmt::format("{} gives one value, not {}", to_string(*old->value), old->names.size()));
    return give_up();
  }
  Shape shape;
  std::optional<AtomicStmt> node = atomic(stmt, call, op, shape, out);
  if (!node) return give_up();
  if (old) {
    if (!may_assign(old->names[0], old->name_spans[0])) return;
    // What is bound is the memory's elements; the local stands for them from here on.
    RefRead before;
    before.ref = node->ref;
    before.index = node->index;
    before.whole = node->whole;
    before.name = context_.kernel.refs[node->ref].name;
    const DType dtype = context_.kernel.refs[node->ref].dtype;
    const auto bind =
        bound(old->names[0], old->name_spans[0], make_typed(old->value->span, dtype, shape, std::move(before)));
    if (!bind) return;
    context_.values_of_locals[bind->local] = {Poison{}, old->name_spans[0]};
    node->old = bind->local;
    node->old_name = bind->name;
    node->rebinds = bind->rebinds;
  }
  out.push_back({stmt.span, stmt.text, std::move(*node)});
}

// Scratch that lives as long as the statements in it.
void BodyTyper::scope(const Stmt& stmt, const ScopeSyntax& syntax, KernelStmts& out) {
  if (in_reference()) {
    context_.diagnostics.error(kReference, stmt.span, "the reference has no memory to allocate");
    return;
  }
  ScopeStmt node;
  std::vector<std::string> names;
  for (const RefSpec& spec : syntax.refs) {
    if (!may_assign(spec.name, spec.span)) continue;
    if (const Local* local = scope_.find(spec.name)) {
      context_.diagnostics
          .error(kNameClash, spec.span, fmt::format("'{}' is the name of a value of the body already", spec.name))
          .note(local->span, "it is assigned here");
      continue;
    }
    const int id = check_scoped_ref(context_, spec);
    context_.names[spec.name] = Name{NameKind::ref, id, spec.span};
    names.push_back(spec.name);
    if (id < 0) continue;
    Ref& ref = context_.kernel.refs[id];
    ref.scoped = true;
    // Refs of two scopes may have one name in the spec, but not in the generated file.
    if (const int before = scoped_names_[spec.name]++; before > 0) ref.name += fmt::format("_{}", before + 1);
    node.refs.push_back(id);
  }
  node.body = block(syntax.body);
  for (const std::string& name : names) context_.names.erase(name);
  out.push_back({stmt.span, "scope", std::move(node)});
}

}  // namespace pallasgen
