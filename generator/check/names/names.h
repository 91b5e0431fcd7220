#pragma once

#include <string>

#include "kernel/context.h"

namespace pallasgen {

// The kind of thing that a name stands for: "an input", "an output", "scratch", "a dim", …
std::string kind_text(const Context& context, const std::string& name);

// Fills Context::names. Reports names that two things share, and a reserved name of the kernel.
void check_names(Context& context);

}  // namespace pallasgen
