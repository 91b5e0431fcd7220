#pragma once

#include <functional>
#include <string>

#include "expression/expr.h"

namespace pallasgen {

// Calls `visit` for every name that the expression uses, in order of the text. What follows a dot and the names of
// keyword arguments are none.
void visit_names(const ExprPtr& expr, const std::function<void(const std::string&, Span)>& visit);

}  // namespace pallasgen
