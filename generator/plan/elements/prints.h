#pragma once

#include "fragments/fragment_values.h"

namespace pallasgen {

// Returns the statements by which the role's first thread prints numbers that all of its threads hold.
program::Statements print_of(const PrintStmt& print, FragmentValues& values);

}  // namespace pallasgen
