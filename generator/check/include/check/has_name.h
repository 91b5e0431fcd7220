#pragma once

#include <string>

#include "check/kernel.h"

namespace pallasgen {

// True if the spec declares the name, or its body binds it to a value, to the old elements of an atomic, or to a loop.
bool has_name(const Kernel& kernel, const std::string& name);

}  // namespace pallasgen
