#include "fragments/paired_elements.h"

#include <algorithm>

namespace pallasgen {

bool goes_by_pairs(const TypedPtr& value, const std::vector<program::Binding>& bindings) {
  const DType dtype = value->dtype;
  if ((dtype != DType::bf16 && dtype != DType::f16) || !value->as<Apply>()) return false;
  bool all = true;
  walk(value, [&](const Typed& node) {
    using enum program::SlotKind;
    const Apply* apply = node.as<Apply>();
    const auto* use = node.as<LocalUse>();
    const bool computes = apply && (apply->op == Op::add || apply->op == Op::subtract || apply->op == Op::multiply);
    const program::Binding* read = use ? &bindings[static_cast<size_t>(use->id)] : nullptr;
    const bool held = read && (read->kind == element || read->kind == row || read->kind == scalar);
    all = all && node.dtype == dtype && (computes || held);
  });
  return all;
}

}  // namespace pallasgen
