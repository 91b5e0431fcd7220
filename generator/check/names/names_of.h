#pragma once

#include <functional>
#include <string>

#include "spec/spec.h"

namespace pallasgen {

// Calls `visit` for every name that the expression uses, in order of the text. What follows a dot and the names of
// keyword arguments are none.
void visit_names(const ExprPtr& expr, const std::function<void(const std::string&, Span)>& visit);

// Calls `visit` for the expressions of the statements as they are written, also those under conditions that consts
// decide: values, targets, conditions, bounds and arguments.
void visit_expressions(const StmtList& list, const std::function<void(const ExprPtr&)>& visit);

}  // namespace pallasgen
