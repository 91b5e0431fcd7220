#pragma once

#include <functional>

#include "draft.h"

namespace pallasgen {

// Visits every statement, nested ones after the one that holds them.
void for_each_statement(const program::Statements& statements,
                        const std::function<void(const program::Statement&)>& visit);
// Visits what the expressions of one statement read, not of those inside it.
void for_each_binding(const program::Statement& statement, const std::function<void(const program::Binding&)>& visit);
// Visits the index and value expressions of one statement, not of those inside it.
void for_each_expression(const Plan& plan, const program::Statement& statement,
                         const std::function<void(const TypedPtr&)>& visit);

}  // namespace pallasgen
