#pragma once

#include "check/kernel.h"

namespace pallasgen {

// Whether blocks of `size` elements that start at `first` follow one another along an axis as long as the extent has
// elements: axis * size, with axis below cdiv(extent, size). None of them lies wholly outside.
bool follows_axis(const Kernel& kernel, const TypedPtr& first, int64_t size, const TypedPtr& extent);

// Whether all of `size` elements from `first` on are proved to lie inside a dim of that extent.
bool stays_inside(const Kernel& kernel, const TypedPtr& first, int64_t size, const TypedPtr& extent,
                  const SymbolFacts& facts);
bool at_least_zero(const TypedPtr& expr, const SymbolFacts& facts);

}  // namespace pallasgen
