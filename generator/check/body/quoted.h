#pragma once

#include <string>

#include "kernel/context.h"

namespace pallasgen {

// The statement in canonical form, as generated files and messages quote it. Consts that generated files do not name
// (truth values, dtypes, functions) appear as their values, and only the branch that such a const chooses is kept.
std::string quoted(const Context& context, const StatementSyntax& statement);

}  // namespace pallasgen
