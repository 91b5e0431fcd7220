#pragma once

#include <vector>

#include "draft.h"

namespace pallasgen {

// A kernel whose body is `acc[...] += dot(a, b)` along one sequential axis, with a prologue that sets acc to zero and
// an epilogue that stores what comes of it.
struct MatmulForm {
  int axis = -1;                 // the sequential axis
  int acc = -1, a = -1, b = -1;  // refs
  bool trans_a = false, trans_b = false;
  const KernelStmt* dot = nullptr;   // the accumulation
  const KernelStmt* last = nullptr;  // the guard of the epilogue
  std::vector<const KernelStmt*> epilogue;
  Span dot_span;

  Major major_a() const { return trans_a ? Major::mn : Major::k; }
  Major major_b() const { return trans_b ? Major::k : Major::mn; }
};

// Whether any value of the body holds a dot: then the kernel needs an MMA path.
bool has_dot(const Kernel& kernel);
// Recognises the form. Null with a refusal at the statement that is not part of it.
std::optional<MatmulForm> matmul_form(Draft& draft);

}  // namespace pallasgen
