#pragma once

#include <string>

#include "check/kernel.h"

namespace pallasgen {

// What the spec calls the thing that has this name in the file, for messages; the name itself where it has none.
std::string name_in_spec(const Kernel& kernel, const std::string& identifier);

}  // namespace pallasgen
