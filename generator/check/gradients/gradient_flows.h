#pragma once

#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// An array that a gradient kernel may take: one of the forward kernel, a cotangent, or a result.
struct Flow {
  DType dtype = DType::f32;
  std::vector<TypedPtr> shape, strides;  // in dims of the forward kernel
  Span span;                             // place of its declaration
  std::string maker;                     // the gradient kernel that made it; empty: it exists from the start
  std::string overwritten_by = {};       // the kernel that overwrote its memory
};

// The type of an array, such as "f32[M, N]".
std::string type_text(DType dtype, const std::vector<TypedPtr>& shape);
// True if the extents are pairwise equal as polynomials.
bool same_extents(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b);
// True if the dims of one shape are products of adjacent dims of the other: the same elements in the same order.
bool same_elements(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b);

}  // namespace pallasgen
