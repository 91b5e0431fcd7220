#pragma once

#include "check/kernel.h"

namespace pallasgen::interpreter {

// The same with f64 in place of every float dtype, so that nothing is rounded on the way (nothing to speak of).
Kernel widened(const Kernel& kernel);
void widen(KernelStmts& statements);
void widen(std::vector<Function>& functions);
// Whether they take a float for its bits, or bits for a float, which keeps them from being widened: a diagnostic.
bool has_bits_of_floats(const KernelStmts& statements, const std::vector<Function>& functions,
                        Diagnostics& diagnostics);

}  // namespace pallasgen::interpreter
