#pragma once

#include "plan/plan.h"

namespace pallasgen {

// Merges neighbouring loops over fragments of one layout; where `rows` are reduced, only those of one statement of the
// spec. Nothing joins a loop that ends with a draw of random bits. If a declaration precedes a loop or a reduction, the
// heading moves to the declaration.
program::Statements in_paragraphs(const Plan& plan, program::Statements statements, bool rows);

}  // namespace pallasgen
