#pragma once

#include <string>

#include "check/kernel.h"

namespace pallasgen {

// Whether the spec declares the name, or its body binds it: a value, what an atomic update found, or a loop.
bool has_name(const Kernel& kernel, const std::string& name);

}  // namespace pallasgen
