#pragma once

#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// An array that a gradient kernel may take, or has made.
struct Flow {
  DType dtype = DType::f32;
  std::vector<TypedPtr> shape, strides;  // by the forward kernel's dims
  Span span;                             // of its declaration
  std::string maker;                     // the gradient kernel that made it; empty: there from the start
  std::string overwritten_by = {};       // the kernel that has written something else to its memory
};

// "f32[M, N]".
std::string type_text(DType dtype, const std::vector<TypedPtr>& shape);
// Whether the extents are equal one by one, by the laws of + and *.
bool same_extents(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b);
// Whether the dims of one shape are the products of neighbouring dims of the other: the same elements in one order.
bool same_elements(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b);

}  // namespace pallasgen
