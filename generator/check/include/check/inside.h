#pragma once

#include "check/kernel.h"

namespace pallasgen {

// True if blocks of `size` elements that start at `first` cover the extent one after another along an axis: `first` is
// axis * size, and the axis has cdiv(extent, size) programs. No block then lies wholly outside.
bool follows_axis(const Kernel& kernel, const TypedPtr& first, int64_t size, const TypedPtr& extent);

// True if all `size` elements from `first` on are proved to lie inside a dim of that extent.
bool stays_inside(const Kernel& kernel, const TypedPtr& first, int64_t size, const TypedPtr& extent,
                  const SymbolFacts& facts);
bool at_least_zero(const TypedPtr& expr, const SymbolFacts& facts);

}  // namespace pallasgen
