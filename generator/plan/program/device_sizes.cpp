#include "program/device_sizes.h"

namespace pallasgen {

bool is_of_device(const Kernel& kernel, const TypedPtr& size) {
  bool found = false;
  walk(size, [&](const Typed& node) {
    if (const Apply* apply = node.as<Apply>()) found = found || operation(apply->op).group == OpGroup::scalars;
    if (node.as<CallFunction>()) found = true;  // only the device has functions
    const Symbol* symbol = node.as<Symbol>();
    if (!symbol) return;
    if (symbol->kind == SymbolKind::axis) found = true;
    if (symbol->kind == SymbolKind::axis_size) found = found || is_of_device(kernel, kernel.axes[symbol->id].size);
    if (symbol->kind == SymbolKind::let) found = found || is_of_device(kernel, kernel.lets[symbol->id].value);
  });
  return found;
}

}  // namespace pallasgen
