#include "statements.h"

#include <fmt/format.h>

#include "broadcast.h"
#include "diagnostics/assert.h"
#include "elementwise.h"
#include "fault.h"
#include "interpret/rules.h"
#include "placing.h"

namespace pallasgen::interpreter {
namespace {

std::string element_text(const Value& value, int64_t i) {
  if (value.dtype == DType::boolean) return integer_of(value, i) ? "true" : "false";
  if (value.dtype == DType::u64) return fmt::format("{}", value.as<uint64_t>()[i]);
  if (!is_float(value.dtype)) return fmt::format("{}", integer_of(value, i));
  return carrier_of(value.dtype) == Carrier::f32 ? fmt::format("{}", value.as<float>()[i])
                                                 : fmt::format("{}", value.as<double>()[i]);
}

void append(std::string& text, const Value& value, size_t dim, int64_t& element) {
  if (dim == value.shape.size()) {
    text += element_text(value, element++);
    return;
  }
  text += '[';
  for (int64_t i = 0; i < value.shape[dim]; ++i) {
    if (i > 0) text += dim + 1 == value.shape.size() ? " " : "\n" + std::string(dim + 1, ' ');
    append(text, value, dim + 1, element);
  }
  text += ']';
}

}  // namespace

std::string to_text(const Value& value) {
  std::string text;
  int64_t element = 0;
  append(text, value, 0, element);
  return text;
}

void StatementRunner::run(const KernelStmts& statements) {
  for (const KernelStmt& statement : statements) run(statement);
}

void StatementRunner::run(const KernelStmt& statement) {
  if (const auto* bind_stmt = std::get_if<BindStmt>(&statement.node)) return bind(*bind_stmt);
  if (const auto* store_stmt = std::get_if<StoreStmt>(&statement.node)) return store(*store_stmt, statement.span);
  if (const auto* atomic_stmt = std::get_if<AtomicStmt>(&statement.node)) return atomic(*atomic_stmt, statement.span);
  if (const auto* scope = std::get_if<ScopeStmt>(&statement.node)) {
    for (int ref : scope->refs) {
      Block& block = env_.blocks[static_cast<size_t>(ref)];
      block.open(place(block.ref(), block.extents(), evaluator_), false, true);
    }
    return run(scope->body);
  }
  if (std::holds_alternative<GridSyncStmt>(statement.node)) return sync_grid(statement.span);
  if (const auto* when = std::get_if<WhenStmt>(&statement.node)) {
    return run(evaluator_.condition(when->condition) ? when->then : when->otherwise);
  }
  if (const auto* for_stmt = std::get_if<ForStmt>(&statement.node)) return loop(*for_stmt, statement.span);
  if (const auto* while_stmt = std::get_if<WhileStmt>(&statement.node)) {
    while (evaluator_.condition(while_stmt->condition)) run(while_stmt->body);
    return;
  }
  if (const auto* print_stmt = std::get_if<PrintStmt>(&statement.node)) return print(*print_stmt);
  if (const auto* assertion = std::get_if<AssertStmt>(&statement.node)) return hold(*assertion, statement.span);
  PALLASGEN_ASSERT(false && "a statement of a blocked kernel", statement.span);
}

void StatementRunner::sync_grid(Span span) {
  if (env_.grid_sync) env_.grid_sync(span);
}

void StatementRunner::hold(const AssertStmt& assertion, Span span) {
  if (evaluator_.condition(assertion.condition)) return;
  throw Fault{
      kRunAssertion,
      span,
      assertion.message.empty() ? fmt::format("{} does not hold", to_string(assertion.condition)) : assertion.message,
      {FaultKind::assertion}};
}

void StatementRunner::bind(const BindStmt& bind) {
  const auto id = static_cast<size_t>(bind.local);
  if (env_.locals.size() <= id) env_.locals.resize(id + 1);
  Value value = evaluator_.evaluate(bind.value);
  env_.locals[id] = std::move(value);
}

void StatementRunner::atomic(const AtomicStmt& atomic, Span span) {
  Block& block = evaluator_.block(atomic.ref, span);
  const DType dtype = block.ref().dtype;
  const Value value = convert(evaluator_.evaluate(atomic.value), dtype);
  const std::optional<Value> compare =
      atomic.compare ? std::optional(convert(evaluator_.evaluate(atomic.compare), dtype)) : std::nullopt;
  const std::optional<Value> mask = atomic.mask ? std::optional(evaluator_.evaluate(atomic.mask)) : std::nullopt;
  Value old = block.atomic(evaluator_.resolve(atomic.index), mask ? &*mask : nullptr, atomic.op, value,
                           compare ? &*compare : nullptr, span);
  if (atomic.old < 0) return;
  const auto id = static_cast<size_t>(atomic.old);
  if (env_.locals.size() <= id) env_.locals.resize(id + 1);
  env_.locals[id] = std::move(old);
}

void StatementRunner::store(const StoreStmt& store, Span span) {
  Block& block = evaluator_.block(store.ref, span);
  const DType dtype = block.ref().dtype;
  const bool accumulates = store.op == Op::add && Evaluator::accumulates(store.value, dtype, store.value->shape);
  if (store.whole && !store.mask) {
    if (accumulates && store.value->shape == block.shape()) {
      return block.write(evaluator_.accumulate(store.value, [&] { return block.take(span); }), span);
    }
    Value value = evaluator_.evaluate(store.value);
    if (store.op) value = apply_elementwise(*store.op, dtype, {block.read(span), value});
    return block.write(convert(value, dtype), span);
  }
  const std::vector<ResolvedItem> items = evaluator_.resolve(store.index);
  const std::optional<Value> mask = store.mask ? std::optional(evaluator_.evaluate(store.mask)) : std::nullopt;
  const Value* flags = mask ? &*mask : nullptr;
  const auto current = [&] { return block.read(items, flags, nullptr, span); };
  Value value;
  if (accumulates && store.value->shape == selected_shape(items)) {
    value = evaluator_.accumulate(store.value, current);
  } else {
    value = evaluator_.evaluate(store.value);
    if (store.op) value = apply_elementwise(*store.op, dtype, {current(), value});
  }
  block.write(items, flags, convert(value, dtype), span);
}

void StatementRunner::loop(const ForStmt& loop, Span span) {
  const int64_t start = loop.start ? evaluator_.integer(loop.start) : 0, stop = evaluator_.integer(loop.stop);
  const int64_t step = loop.step ? evaluator_.integer(loop.step) : 1;
  if (step == 0) throw Fault{kRunLoopStep, span, fmt::format("the step of the loop over '{}' is 0", loop.name)};
  const auto id = static_cast<size_t>(loop.loop);
  if (env_.loops.size() <= id) env_.loops.resize(id + 1);
  for (int64_t i = start; step > 0 ? i < stop : i > stop;) {
    env_.loops[id] = i;
    run(loop.body);
    if (__builtin_add_overflow(i, step, &i)) return;
  }
}

void StatementRunner::print(const PrintStmt& print) {
  std::string text = print.texts[0];  // made even if nobody reads it: its arguments may break a rule
  for (size_t i = 0; i < print.args.size(); ++i)
    text += to_text(evaluator_.evaluate(print.args[i])) + print.texts[i + 1];
  if (print_) *print_ << text << '\n';
}

}  // namespace pallasgen::interpreter
