#pragma once

#include "plan/plan.h"

namespace pallasgen {

// Neighbouring statements of one layout share a loop, but where `rows` are reduced a statement is a paragraph, and
// random bits are drawn in a loop of their own. What a declaration and the statement behind it both come from stands
// above the two.
program::Statements in_paragraphs(const Plan& plan, program::Statements statements, bool rows);

}  // namespace pallasgen
