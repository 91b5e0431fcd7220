#include "widened.h"

#include "arguments.h"
#include "interpret/rules.h"

namespace pallasgen::interpreter {
namespace {

DType widened(DType dtype) { return is_float(dtype) ? DType::f64 : dtype; }

TypedPtr widened(const TypedPtr& expr);

void widen(std::vector<TypedPtr>& list) {
  for (TypedPtr& entry : list) entry = widened(entry);
}

void widen(std::vector<IndexItem>& items) {
  for (IndexItem& item : items) {
    if (auto* integer = std::get_if<IndexInteger>(&item)) integer->value = widened(integer->value);
    if (auto* slice = std::get_if<IndexSlice>(&item)) slice->start = widened(slice->start);
    if (auto* gather = std::get_if<IndexGather>(&item)) gather->indices = widened(gather->indices);
  }
}

TypedPtr widened(const TypedPtr& expr) {
  if (!expr) return nullptr;
  Typed::Node node = expr->node;
  if (auto* read = std::get_if<RefRead>(&node)) {
    widen(read->index);
    read->mask = widened(read->mask);
    read->other = widened(read->other);
  } else if (auto* apply = std::get_if<Apply>(&node)) {
    widen(apply->args);
    widen(apply->attributes.items);
    apply->attributes.precision.clear();
  } else if (auto* call = std::get_if<CallFunction>(&node)) {
    widen(call->args);
  }
  return make_typed(expr->span, widened(expr->dtype), expr->shape, std::move(node));
}

}  // namespace

void widen(KernelStmts& statements) {
  change_values(statements, [](TypedPtr& value) { value = widened(value); });
}

void widen(std::vector<Function>& functions) {
  for (Function& function : functions) {
    if (function.external) continue;  // it is computed in its own dtypes
    for (auto& [name, dtype] : function.parameters) dtype = widened(dtype);
    function.body = widened(function.body);
  }
}

Kernel widened(const Kernel& kernel) {
  Kernel wide = kernel;
  for (Ref& ref : wide.refs) ref.dtype = widened(ref.dtype);
  for (KernelScalar& scalar : wide.scalars) scalar.dtype = widened(scalar.dtype);
  widen(wide.functions);
  widen(wide.body);
  wide.checks.clear();
  return wide;
}

bool has_bits_of_floats(const KernelStmts& statements, const std::vector<Function>& functions,
                        Diagnostics& diagnostics) {
  bool found = false;
  const auto look = [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const Apply* bits = node.applies(Op::bitcast);
      if (found || !bits || !(is_float(node.dtype) || is_float(bits->args[0]->dtype))) return;
      found = true;
      diagnostics.error(kRunFloatBits, node.span, "the bits of a float are taken, which have no meaning in f64")
          .note("a `reference` in plain arithmetic can be evaluated in f64");
    });
  };
  for_each_value(statements, look);
  for (const Function& function : functions) look(function.body);
  return found;
}

}  // namespace pallasgen::interpreter
