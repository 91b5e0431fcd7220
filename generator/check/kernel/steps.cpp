#include "check/steps.h"

#include <algorithm>

namespace pallasgen {

TypedPtr axis_symbol(const Kernel& kernel, int axis) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::axis, axis, kernel.axes[axis].name});
}

TypedPtr axis_size_symbol(const Kernel& kernel, int axis) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::axis_size, axis, kernel.axes[axis].name});
}

bool mentions_steps(const Kernel& kernel, const TypedPtr& expr) {
  bool found = false;
  if (!expr) return found;
  walk(expr, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    if (!symbol) return;
    if (symbol->kind == SymbolKind::axis) found = found || kernel.axes[symbol->id].sequential;
    if (symbol->kind == SymbolKind::let) found = found || mentions_steps(kernel, kernel.lets[symbol->id].value);
    if (symbol->kind == SymbolKind::axis_size) found = found || mentions_steps(kernel, kernel.axes[symbol->id].size);
  });
  return found;
}

bool moves_with_steps(const Kernel& kernel, const Ref& ref) {
  return std::any_of(ref.block.begin(), ref.block.end(), [&](const BlockDim& dim) {
    return mentions_steps(kernel, dim.index) || mentions_steps(kernel, dim.slice_size);
  });
}

namespace {

// The expression with `at` in place of each sequential axis, also in lets and sizes of axes that depend on one.
TypedPtr at_step(const Kernel& kernel, const TypedPtr& expr, const std::function<TypedPtr(int axis)>& at) {
  if (!expr) return expr;
  return substitute(expr, [&](const Symbol& symbol) -> TypedPtr {
    if (symbol.kind == SymbolKind::axis && kernel.axes[symbol.id].sequential) return at(symbol.id);
    if (symbol.kind == SymbolKind::let && mentions_steps(kernel, kernel.lets[symbol.id].value))
      return at_step(kernel, kernel.lets[symbol.id].value, at);
    if (symbol.kind == SymbolKind::axis_size && mentions_steps(kernel, kernel.axes[symbol.id].size))
      return at_step(kernel, kernel.axes[symbol.id].size, at);
    return nullptr;
  });
}

}  // namespace

TypedPtr at_last_step(const Kernel& kernel, const TypedPtr& expr) {
  return at_step(kernel, expr, [&](int axis) {
    // If the size depends on the steps of other axes, it is the size at their last step, which has no symbol.
    const TypedPtr& size = kernel.axes[axis].size;
    const TypedPtr last = mentions_steps(kernel, size) ? at_last_step(kernel, size) : axis_size_symbol(kernel, axis);
    return index_apply(Op::subtract, last, index_constant(1));
  });
}

TypedPtr at_first_step(const Kernel& kernel, const TypedPtr& expr) {
  return at_step(kernel, expr, [](int) { return index_constant(0); });
}

TypedPtr at_step_of(const Kernel& kernel, const TypedPtr& expr, int axis, const TypedPtr& step) {
  return at_step(kernel, expr, [&](int other) { return other == axis ? step : nullptr; });
}

bool may_have_no_step(const Kernel& kernel, const SymbolFacts& facts) {
  return std::any_of(kernel.axes.begin(), kernel.axes.end(), [&](const Axis& axis) {
    return axis.sequential && bounds(axis.size, facts).minimum.value_or(0) <= 0;
  });
}

}  // namespace pallasgen
