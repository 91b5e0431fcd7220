#pragma once

#include <functional>
#include <string>

#include "spec/spec.h"

namespace pallasgen {

// Calls `visit` for every name that the expression uses, in the order of the text. Attributes and the names of keyword
// arguments do not count.
void visit_names(const ExprPtr& expr, const std::function<void(const std::string&, Span)>& visit);

// Calls `visit` for the expressions of the statements as written: values, targets, conditions, bounds and arguments,
// also in branches that consts rule out.
void visit_expressions(const StmtList& list, const std::function<void(const ExprPtr&)>& visit);

}  // namespace pallasgen
