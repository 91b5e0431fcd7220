#pragma once

#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// The consts that say what the kernel computes, not how: those that the types of its inputs, outputs and scalars
// mention, or its reference, or a function that the reference calls.
std::vector<std::string> consts_of_meaning(const Kernel& kernel);

// Holds the consts of these names that both kernels have against each other. False with a diagnostic for each that
// differs, at the place of `linked` in `vjp`.
bool check_shared_consts(const Kernel& forward, const Kernel& linked, const std::vector<std::string>& names, Span place,
                         Diagnostics& diagnostics);

}  // namespace pallasgen
