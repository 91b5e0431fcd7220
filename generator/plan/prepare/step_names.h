#pragma once

#include <set>

#include "check/kernel.h"

namespace pallasgen {

// Names that are bound before a loop and that each of its steps binds again. A program without steps still runs the
// guards of the first and the last step, so each guard binds the names that it reads itself.
class StepNames {
 public:
  // `binds`: BindStmts of distinct locals, in the order of the body.
  StepNames(const Kernel& kernel, KernelStmts binds);
  // Returns the binds of a step whose other statements are `body`, without reads of inputs that only guards need.
  KernelStmts in_step(const KernelStmts& body) const;
  // Returns the statements of a guard after the binds that they need, with locals of the guard's own.
  KernelStmts in_guard(KernelStmts statements);

 private:
  // Returns the names among these that `statements` read, directly or through other binds.
  std::set<int> needed_by(const KernelStmts& statements, const std::set<int>& among) const;

  KernelStmts binds_;
  std::set<int> of_inputs_;  // locals whose values depend on inputs
  int next_local_ = 0;
};

}  // namespace pallasgen
