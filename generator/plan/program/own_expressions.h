#pragma once

#include <functional>

#include "plan/plan.h"

namespace pallasgen {

// Visits the index and value expressions of one statement, except those of its bindings, of Elementwise and of nested
// statements (for_each_expression visits those of bindings and of Elementwise too).
void for_each_own_expression(const Plan& plan, const program::Statement& statement,
                             const std::function<void(const TypedPtr&)>& visit);

}  // namespace pallasgen
