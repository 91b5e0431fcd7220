#pragma once

#include <string>

#include "kernel/context.h"

namespace pallasgen {

// The statement in canonical form, as generated files and messages quote it: consts that no file names (truth values,
// dtypes, functions) are their values, and of what such a const chooses between only the chosen part is there.
std::string quoted(const Context& context, const StatementSyntax& statement);

}  // namespace pallasgen
