#pragma once

#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// The consts that decide what the kernel computes, not how: those in the types of its inputs, outputs and scalars, in
// its reference, or in a function that one of these calls.
std::vector<std::string> consts_of_meaning(const Kernel& kernel);

// Compares the consts of these names that both kernels have. False with a diagnostic at `place`, the kernel's entry in
// `vjp`, for each that differs.
bool check_shared_consts(const Kernel& forward, const Kernel& linked, const std::vector<std::string>& names, Span place,
                         Diagnostics& diagnostics);

}  // namespace pallasgen
