#pragma once

#include <functional>

#include "plan/plan.h"

namespace pallasgen {

// Visits the index and value expressions of one statement but those of its bindings and of Elementwise, and not of the
// statements inside it (for_each_expression has all of one statement).
void for_each_own_expression(const Plan& plan, const program::Statement& statement,
                             const std::function<void(const TypedPtr&)>& visit);

}  // namespace pallasgen
