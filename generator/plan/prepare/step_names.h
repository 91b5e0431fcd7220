#pragma once

#include <set>

#include "check/kernel.h"

namespace pallasgen {

// Names that are bound before a loop and that each of its steps binds again. A program without a step still runs the
// guards of the first and the last one, but no step: what they read of inputs by such a name is bound in the guard.
class StepNames {
 public:
  // `binds`: BindStmts of distinct locals, in the order of the body.
  StepNames(const Kernel& kernel, KernelStmts binds);
  // The binds of a step whose other statements are `body`: what only guards read of inputs is left to them.
  KernelStmts in_step(const KernelStmts& body) const;
  // The statements of a guard behind what they need of the binds, under locals of the guard's own.
  KernelStmts in_guard(KernelStmts statements);

 private:
  // The binds of these names that `statements` read, by themselves or by one another.
  std::set<int> needed_by(const KernelStmts& statements, const std::set<int>& among) const;

  KernelStmts binds_;
  std::set<int> of_inputs_;  // locals whose values inputs decide
  int next_local_ = 0;
};

}  // namespace pallasgen
