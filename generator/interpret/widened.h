#pragma once

#include "check/kernel.h"

namespace pallasgen::interpreter {

// The same with f64 in place of every float dtype, so that nothing is rounded to a narrower one.
Kernel widened(const Kernel& kernel);
void widen(KernelStmts& statements);
void widen(std::vector<Function>& functions);
// True, with a diagnostic, if bits are taken of floats or as floats, so that these cannot be widened.
bool has_bits_of_floats(const KernelStmts& statements, const std::vector<Function>& functions,
                        Diagnostics& diagnostics);

}  // namespace pallasgen::interpreter
